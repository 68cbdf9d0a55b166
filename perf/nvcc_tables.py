#!/usr/bin/env python3
"""Tells what nvcc makes of kernels and programs, without a GPU, in a markdown table, and in JSON for report.py.

  nvcc_tables.py resources SOURCE.cu... [--json FILE] [--nvcc NVCC]
  nvcc_tables.py compile_cost [--json FILE] [--nvcc NVCC]

Resources are registers, threads of a launch and spills of every kernel in some sources. The assembler reports
registers and spills. The threads are those of the launch bounds in the PTX, as each kernel of mgpu is launched with
as many. Which kernel may spill is for the test lint.spills to say.

The cost is that of one translation unit that sorts ints, or large keys: with mgpu, with Thrust, with no more than a
kernel. It is compiler time (CPU time, user and system: the least of the repetitions, which hardly depends on what
else runs, and the most), the size of the object, and that of the linked and stripped program, for one architecture.
The sources take turns, in an order drawn anew each round, as a machine's speed drifts.
"""
import argparse
import datetime
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays clean
from reporting import tables  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE, REPETITIONS = 90, 3
FLAGS = ['-std=c++17', '-O3', f'-gencode=arch=compute_{ARCHITECTURE},code=sm_{ARCHITECTURE}', f'-I{ROOT}/include',
         f'-I{ROOT}/detail']

# --- Resources
TYPE_NAMES = [(r'\(anonymous namespace\)::|mgpu::(\w+::)?detail::|cuda::std::(__\d+::)?', ''),
              (r'unsigned long long|unsigned long', 'u64'), (r'unsigned int', 'u32'), (r'unsigned short', 'u16'),
              (r'unsigned char', 'u8'), (r'long long|\blong\b', 'i64'), (r'\bfloat\b', 'f32'),
              (r'\bdouble\b', 'f64'), (r'(\d)ul?\b', r'\1'), (r' (?=\*)', '')]


def threads_of_ptx(ptx):
    """Mangled name -> threads by launch bounds, or None."""
    found = re.findall(r'\.entry\s+([\w$.]+)[^{]*?(?:\.maxntid\s+(\d+)[^{]*)?{', ptx)
    return {name: int(threads) if threads else None for name, threads in found}


def report_of_ptxas(text):
    """Mangled name -> registers and bytes spilled."""
    found = re.findall(r'Function properties for ([\w$.]+)\n.* (\d+) bytes spill stores, (\d+) bytes spill loads\n'
                       r'.*Used (\d+) registers', text)
    return {name: {'registers': int(registers), 'spill_bytes': int(stored) + int(loaded)}
            for name, stored, loaded, registers in found}


def short_names(mangled):
    """The kernels' names with their template arguments, as a table has room for."""
    text = subprocess.run(['c++filt', '--no-params'], input='\n'.join(mangled), capture_output=True, text=True,
                          check=True).stdout
    for pattern, replacement in TYPE_NAMES:
        text = re.sub(pattern, replacement, text)
    return text.splitlines()


def resources_of(source, nvcc, folder):
    done = subprocess.run([nvcc, *FLAGS, '--extended-lambda', '-Xptxas=-v', '-cubin', '-o', os.devnull, '--keep',
                           '--keep-dir', folder, source], stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    threads = threads_of_ptx(Path(folder, source.stem + '.ptx').read_text('utf-8'))
    report = report_of_ptxas(done.stderr)
    return sorted(({'kernel': short, 'threads': threads[name], **report[name]}
                   for name, short in zip(threads, short_names(threads))), key=lambda row: row['kernel'])


# --- What compiling costs
PROGRAM = '''
struct large {{
  unsigned words[{words}];
  __host__ __device__ friend bool operator<(large const& a, large const& b) {{
    for (int i = 0; i < {words}; ++i) if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
    return false;
  }}
}};
int main(int argc, char**) {{
  {key}* keys = nullptr;
  cudaMalloc(&keys, sizeof({key}) * argc);
  {call}keys, keys + argc);
}}
'''
HEADERS = {'mgpu': '#include <mgpu/sort.h>\nusing mgpu::par;',
           'thrust': '#include <thrust/sort.h>\n#include <thrust/system/cuda/execution_policy.h>\n'
                     'using thrust::cuda::par;'}
EMPTY = PROGRAM.format(words=1, key='int', call='empty_kernel<<<1, 1>>>(')
SOURCES = {'an empty kernel': '__global__ void empty_kernel(int*, int*) {}' + EMPTY}
for library, header in HEADERS.items():
    for key, words in (('int', 1), ('large', 16), ('large', 64), ('large', 128)):
        name = f'`{library}::sort<{key}>`' + f' of {4 * words} B, compared word by word' * (key == 'large')
        SOURCES[name] = header + PROGRAM.format(words=words, key=key, call=f'{library}::sort(par, ')


def costs(nvcc, folder):
    programs = {name: f'{folder}/program_{i}' for i, name in enumerate(SOURCES)}
    for name, program in programs.items():
        Path(f'{program}.cu').write_text(SOURCES[name], 'utf-8')
    seconds = {name: [] for name in SOURCES}
    for _ in range(REPETITIONS):
        for name, program in random.sample(list(programs.items()), len(programs)):
            before = sum(os.times()[2:4])  # is the CPU time of children, and of theirs
            subprocess.run([nvcc, *FLAGS, '-c', f'{program}.cu', '-o', f'{program}.o'], check=True)
            seconds[name].append(sum(os.times()[2:4]) - before)
    for name, program in programs.items():
        subprocess.run([nvcc, f'{program}.o', '-Xlinker=-s', '-o', program], check=True)
        yield {'name': name, 'cpu_s': min(seconds[name]), 'cpu_s_most': max(seconds[name]),
               'object_bytes': os.path.getsize(f'{program}.o'), 'program_bytes': os.path.getsize(program)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', choices=['resources', 'compile_cost'])
    parser.add_argument('sources', nargs='*', type=Path)
    parser.add_argument('--json', type=Path)
    parser.add_argument('--nvcc', default='nvcc')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.what == 'resources':
            found = [row for source in options.sources for row in resources_of(source, options.nvcc, folder)]
        else:
            found = list(costs(options.nvcc, folder))
    print(getattr(tables, options.what + '_table')(found))
    if options.json:
        version = subprocess.run([options.nvcc, '--version'], check=True, capture_output=True, text=True).stdout
        context = {'date': datetime.datetime.now().isoformat(timespec='seconds'), 'architecture': ARCHITECTURE,
                   'nvcc': re.search(r'V([\d.]+)', version)[1]}
        options.json.write_text(json.dumps({'context': context, options.what: found}, indent=1))


if __name__ == '__main__':
    main()
