#!/usr/bin/env python3
"""Tells registers, threads, stack and spills of every kernel in some sources, without a GPU.

  kernels.py SOURCE.cu... [--allowed FILE] [--json FILE] [--nvcc NVCC]

The assembler reports registers, stack and spills. The threads are those of the launch bounds in the PTX, as each
kernel of mgpu is launched with as many. With --allowed the exit status is 1 if any of them spills registers to
memory, or reads larger types from global memory byte by byte, as such a kernel is right and quietly slow, so nothing
else would tell; or if there is no kernel, as then nothing was looked at. FILE names the exceptions from spills. Stack
that holds no spills (an array indexed by a variable, a call) is told, not judged. The JSON is for perf/report.py.
"""
import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = 90
FLAGS = ['-std=c++17', '-O3', f'-gencode=arch=compute_{ARCHITECTURE},code=sm_{ARCHITECTURE}', f'-I{ROOT}/include',
         f'-I{ROOT}/detail']

TYPE_NAMES = [(r'\(anonymous namespace\)::|mgpu::(\w+::)?detail::|cuda::std::(__\d+::)?', ''),
              (r'unsigned long long|unsigned long', 'u64'), (r'unsigned int', 'u32'), (r'unsigned short', 'u16'),
              (r'unsigned char', 'u8'), (r'long long|\blong\b', 'i64'), (r'\bfloat\b', 'f32'),
              (r'\bdouble\b', 'f64'), (r'(\d)ul?\b', r'\1'), (r' (?=\*)', '')]


def threads_of_ptx(ptx):
    """Kernel -> threads by launch bounds, or None."""
    found = re.findall(r'\.entry\s+([\w$.]+)[^{]*?(?:\.maxntid\s+(\d+)[^{]*)?{', ptx)
    return {name: int(threads) if threads else None for name, threads in found}


def byte_loads_of_ptx(ptx):
    """Kernel -> how many of its instructions load a single byte from global memory."""
    parts = re.split(r'\.(entry|func)\b', ptx)
    kernels = [body for kind, body in zip(parts[1::2], parts[2::2]) if kind == 'entry']
    return {re.match(r'\s*([\w$.]+)', body)[1]: len(re.findall(r'\bld\.global(?:\.\w+)*\.[us]8\b', body))
            for body in kernels}


def report_of_ptxas(text):
    """Kernel, or function that it calls -> registers, if it is a kernel, bytes of stack, bytes spilled out and in."""
    found = re.findall(r'Function properties for ([\w$.]+)\n *(\d+) bytes stack frame, (\d+) bytes spill stores, '
                       r'(\d+) bytes spill loads(?:\n.*Used (\d+) registers)?', text)
    return {name: (int(registers) if registers else None, *map(int, memory)) for name, *memory, registers in found}


def short_names(mangled):
    """The kernels' names with their template arguments, as a table has room for."""
    text = subprocess.run(['c++filt', '--no-params'], input='\n'.join(mangled), capture_output=True, text=True,
                          check=True).stdout
    for pattern, replacement in TYPE_NAMES:
        text = re.sub(pattern, replacement, text)
    return text.splitlines()


def exceptions(path):
    """(pattern of a kernel's name, how many bytes it may spill out) of each line, which ends in the reason."""
    lines = [line.split(' ', 2) for line in path.read_text('utf-8').splitlines() if not line.startswith('#')]
    return [(pattern, int(most)) for pattern, most, _ in lines]


def compiled(source, nvcc):
    """What the PTX says, and the assembler. With two threads, which halve the time, the report is the same."""
    split = ['--split-compile=2'] * ('--split-compile ' in subprocess.check_output([nvcc, '--help'], text=True))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([nvcc, *FLAGS, *split, '--extended-lambda', '-Xptxas=-v', '-cubin', '-o', os.devnull,
                               '--keep', '--keep-dir', folder, source], stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        ptx = Path(folder, source.stem + '.ptx').read_text('utf-8')
        return threads_of_ptx(ptx), byte_loads_of_ptx(ptx), report_of_ptxas(done.stderr)


def context(nvcc):
    """What of the compiler goes into the JSON, with the date."""
    version = subprocess.run([nvcc, '--version'], check=True, capture_output=True, text=True).stdout
    return {'date': datetime.datetime.now().isoformat(timespec='seconds'), 'architecture': ARCHITECTURE,
            'nvcc': re.search(r'V([\d.]+)', version)[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sources', nargs='+', type=Path)
    parser.add_argument('--allowed', type=Path)
    parser.add_argument('--json', type=Path)
    parser.add_argument('--nvcc', default='nvcc')
    options = parser.parse_args()
    allowed = exceptions(options.allowed) if options.allowed else [('', sys.maxsize)]  # all may spill
    kernels, failures = [], []
    for source in options.sources:
        threads, byte_loads, report = compiled(source, options.nvcc)
        if options.allowed and not report:
            failures.append(f'{source}: no kernel was compiled, so this checks nothing')
        shorter = dict(zip(report, short_names(report)))
        for name, (registers, stack, out, back) in report.items():
            text = f'{stack} B of stack, spills {out} B out and {back} B in'
            print(f'{shorter[name]}: {registers} registers, {threads.get(name)} threads, {text}')
            if out + back > 0 and not any(re.search(pattern, name) and out <= most for pattern, most in allowed):
                failures.append(f'spilled: {name}: {text}')
            # One byte may be a flag; kernels of keys or values of one byte may load as many as they like.
            if options.allowed and byte_loads.get(name, 0) > 1 and not re.search(r'\b(u8|char|bool)\b', shorter[name]):
                failures.append(f'reads byte by byte: {name}: {byte_loads[name]} loads')
        kernels += sorted(({'kernel': shorter[name], 'threads': threads[name], 'registers': report[name][0],
                            'spill_bytes': sum(report[name][2:])} for name in threads), key=lambda row: row['kernel'])
    if options.json:
        options.json.write_text(json.dumps({'context': context(options.nvcc), 'resources': kernels}, indent=1))
    if failures:
        sys.exit('\n'.join(failures))


if __name__ == '__main__':
    main()
