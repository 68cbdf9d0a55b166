#!/usr/bin/env python3
"""Registers, shared memory, spills and theoretical occupancy of every kernel in some sources, without a GPU.

  resources.py SOURCE.cu... [--arch 90] [--json FILE] [--nvcc NVCC] [--cxx CXX] [--include DIR]...

Three steps. nvcc makes PTX, which names the kernels and their launch bounds (a kernel of mgpu is launched with as
many threads as its bounds say). ptxas reports registers, static shared memory and spills. What a launch would ask for
in dynamic shared memory is printed by a C++ program made from the kernels' names and shared_bytes.cuh, which a plain
C++ compiler builds over the headers of the emulator. Prints a markdown table; exit status 1 if a kernel
spills more than test/lint/spills/allowed_spills.txt allows it to.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True  # the sources' folder stays clean
sys.path.insert(0, os.path.dirname(HERE))
from reporting import tables  # noqa: E402  (the path is set first)

# Of a multiprocessor: registers, warps, blocks, and KB of shared memory. Common to all: registers come in portions of
# 256 a warp, shared memory in portions of 128 bytes, of which each block takes 1 KB for the system (from 8.0 on).
LIMITS = {75: (65536, 32, 16, 64), 80: (65536, 64, 32, 164), 86: (65536, 48, 16, 100), 87: (65536, 48, 16, 164),
          89: (65536, 48, 24, 100), 90: (65536, 64, 32, 228), 100: (65536, 64, 32, 228), 103: (65536, 64, 32, 228),
          120: (65536, 48, 24, 100), 121: (65536, 48, 24, 100)}

TYPE_NAMES = [(r'\(anonymous namespace\)::|mgpu::(\w+::)?detail::|cuda::std::(__\d+::)?', ''),
              (r'unsigned long long|unsigned long', 'u64'), (r'unsigned int', 'u32'), (r'unsigned short', 'u16'),
              (r'unsigned char', 'u8'), (r'long long|\blong\b', 'i64'), (r'\bfloat\b', 'f32'),
              (r'\bdouble\b', 'f64'), (r'(\d)ul?\b', r'\1'), (r' (?=\*)', '')]


def occupancy(arch, registers, threads, shared_bytes):
    """(blocks a multiprocessor, share of its warps that they fill), by the rules of the CUDA programming guide."""
    all_registers, all_warps, all_blocks, shared_kb = LIMITS[max(known for known in LIMITS if known <= arch)]
    warps = -(-threads // 32)
    registers_per_warp = -(-registers * 32 // 256) * 256
    # Warps go to four schedulers, each of which has a quarter of the registers.
    by_registers = 4 * (all_registers // 4 // registers_per_warp) // warps
    shared = -(-(shared_bytes + (1024 if arch >= 80 else 0)) // 128) * 128
    by_shared = shared_kb * 1024 // shared if shared else all_blocks
    blocks = min(all_blocks, all_warps // warps, by_registers, by_shared)
    return blocks, blocks * warps / all_warps


def kernels_of_ptx(ptx):
    """Mangled name -> (threads by launch bounds or None, whether it has dynamic shared memory)."""
    found = {}
    entries = re.split(r'\.entry\s+', ptx)[1:]
    for entry in entries:
        name = re.match(r'[\w$.]+', entry)[0]
        bounds = re.search(r'\.maxntid\s+(\d+)', entry.split('{', 1)[0])
        found[name] = (int(bounds[1]) if bounds else None, 'mgpu_shared_memory' in entry)
    return found


def report_of_ptxas(text):
    """Mangled name -> registers, bytes spilled (and of these, stored) and static shared bytes."""
    found = {}
    name = None
    for line in text.splitlines():
        if match := re.search(r"(?:Compiling entry function '|Function properties for )([\w$.]+)", line):
            name = match[1]
            found.setdefault(name, {'registers': 0, 'spill_bytes': 0, 'spill_store_bytes': 0, 'static_bytes': 0})
        elif name and (match := re.search(r'(\d+) bytes spill stores, (\d+) bytes spill loads', line)):
            found[name]['spill_bytes'] = int(match[1]) + int(match[2])
            found[name]['spill_store_bytes'] = int(match[1])
        elif name and (match := re.search(r'Used (\d+) registers', line)):
            found[name]['registers'] = int(match[1])
            shared = re.search(r'(\d+) bytes smem', line)
            found[name]['static_bytes'] = int(shared[1]) if shared else 0
    return found


def may_spill(kernel, stored_bytes, allowed):
    """Whether some line of `allowed`, as in allowed_spills.txt, lets the kernel store as many bytes as it spills."""
    exceptions = (line.split(maxsplit=2) for line in allowed if line.strip() and not line.startswith('#'))
    return any(name in kernel and stored_bytes <= int(most) for name, most, _ in exceptions)


def toolkit_of(nvcc):
    return os.path.dirname(os.path.dirname(os.path.realpath(shutil.which(nvcc))))


def demangled(names):
    output = subprocess.run(['c++filt'], input='\n'.join(names), capture_output=True, text=True, check=True).stdout
    return dict(zip(names, output.splitlines()))


def template_of(name):
    """`ns::kernel<arguments>` of a demangled function."""
    depth = 0
    for i, letter in enumerate(name):
        depth += {'<': 1, '>': -1}.get(letter, 0)
        if letter == '(' and depth == 0:
            name = name[:i]
            break
    return name.removeprefix('void ')


def short(template):
    for pattern, replacement in TYPE_NAMES:
        template = re.sub(pattern, replacement, template)
    return template


def dynamic_bytes(templates, source, arch, compiler, nvcc, includes, folder):
    """Dynamic shared memory of kernels, by their templates, where shared_bytes.cuh knows them."""
    with open(os.path.join(HERE, 'shared_bytes.cuh'), encoding='utf-8') as file:
        known = set(re.findall(r'std::size_t (\w+_kernel)\b', file.read()))
    begin = re.compile(r'[\w:]*?(\w+)<')
    # Without the namespace that tells an nvcc build's architectures.
    in_cpp = re.compile(r'\(anonymous namespace\)::|(?<=mgpu::)sm_\w+?::')
    asked = [(template, in_cpp.sub('', begin.sub(r'shared_bytes::\1<', template, count=1)))
             for template in templates if begin.match(template)[1] in known]
    program = os.path.join(folder, 'shared_bytes')
    with open(f'{program}.cpp', 'w', encoding='utf-8') as file:
        file.write(f'constexpr int resources_arch = {arch};\n#include "{source}"\n'
                   '#include <resources/shared_bytes.cuh>\n#include <cstdio>\nint main() {\n')
        file.writelines(f'  std::printf("%zu\\n", {name});\n' for _, name in asked)
        file.write('}\n')
    toolkit = toolkit_of(nvcc)
    includes = [*includes, f'{toolkit}/include', f'{toolkit}/include/cccl']
    # The kernels are instantiated but never run: the emulator itself need not be there.
    command = [compiler, '-std=c++17', '-O0', f'-DMGPU_EMULATED={arch}', '-w', f'{program}.cpp', '-o', program,
               '-Wl,--unresolved-symbols=ignore-all', '-no-pie', f'-I{os.path.dirname(HERE)}', f'-I{ROOT}/test',
               *(f'-I{folder}' for folder in includes)]
    subprocess.run(command, check=True)
    sizes = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    return {template: int(size) for (template, _), size in zip(asked, sizes)}


def look_at(source, options, folder):
    ptx = os.path.join(folder, 'kernels.ptx')
    subprocess.run([options.nvcc, '-std=c++17', '-O3', '--extended-lambda', f'-arch=compute_{options.arch}', '-ptx',
                    *(f'-I{folder}' for folder in options.include), source, '-o', ptx], check=True)
    ptxas = os.path.join(toolkit_of(options.nvcc), 'bin', 'ptxas')
    ptxas = subprocess.run([ptxas, '-v', f'-arch=sm_{options.arch}', ptx, '-o', os.devnull], check=True,
                           capture_output=True, text=True)
    with open(ptx, encoding='utf-8') as file:
        kernels = kernels_of_ptx(file.read())
    report = report_of_ptxas(ptxas.stderr + ptxas.stdout)
    names = {name: template_of(full) for name, full in demangled(list(kernels)).items()}
    dynamic = dynamic_bytes([names[name] for name, (_, is_dynamic) in kernels.items() if is_dynamic],
                            os.path.abspath(source), options.arch, options.cxx, options.nvcc, options.include,
                            folder)

    rows = []
    for name, (threads, is_dynamic) in kernels.items():
        found = report[name]
        shared = found['static_bytes'] + (dynamic.get(names[name], -1) if is_dynamic else 0)
        row = {'kernel': short(names[name]), 'registers': found['registers'], 'threads': threads,
               'shared_bytes': shared if not is_dynamic or names[name] in dynamic else None,
               'spill_bytes': found['spill_bytes'], 'spill_store_bytes': found['spill_store_bytes'],
               'occupancy': None, 'blocks_per_sm': None}
        if threads and row['shared_bytes'] is not None:
            row['blocks_per_sm'], row['occupancy'] = occupancy(options.arch, row['registers'], threads, shared)
        rows.append(row)
    return sorted(rows, key=lambda row: row['kernel'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sources', nargs='+')
    parser.add_argument('--arch', type=int, default=90)
    parser.add_argument('--json')
    parser.add_argument('--nvcc', default='nvcc')
    parser.add_argument('--cxx', default='c++')
    parser.add_argument('--include', action='append', default=[f'{ROOT}/include', f'{ROOT}/detail'])
    options = parser.parse_args()

    rows = []
    for source in options.sources:
        with tempfile.TemporaryDirectory() as folder:
            rows += look_at(source, options, folder)
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump({'context': {'architecture': options.arch}, 'resources': rows}, file, indent=1)
    print(tables.resource_table(rows))
    unknown = sorted({row['kernel'].split('<')[0] for row in rows if row['shared_bytes'] is None})
    if unknown:
        print('Shared memory unknown; add to shared_bytes.cuh: ' + ', '.join(unknown), file=sys.stderr)
    with open(f'{ROOT}/test/lint/spills/allowed_spills.txt', encoding='utf-8') as file:
        allowed = file.read().splitlines()
    spilling = [row['kernel'] for row in rows
                if row['spill_bytes'] and not may_spill(row['kernel'], row['spill_store_bytes'], allowed)]
    for kernel in spilling:
        print('Spills: ' + kernel, file=sys.stderr)
    return 1 if spilling else 0


if __name__ == '__main__':
    sys.exit(main())
