#!/usr/bin/env python3
"""Tells registers, threads of a launch and spills of every kernel in some sources, without a GPU.

  resources.py SOURCE.cu... [--json FILE] [--nvcc NVCC]

The assembler reports registers and spills. The threads are those of the launch bounds in the PTX, as each kernel of
mgpu is launched with as many. This prints a markdown table; which kernel may spill is for the test lint.spills to say.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays clean
from reporting import tables  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = 90
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


def resources_of(source, nvcc):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([nvcc, '-std=c++17', '-O3', '--extended-lambda', f'-arch=sm_{ARCHITECTURE}', '-Xptxas=-v',
                               '-cubin', '-o', os.devnull, '--keep', '--keep-dir', folder, f'-I{ROOT}/include',
                               f'-I{ROOT}/detail', source], stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        threads = threads_of_ptx(Path(folder, source.stem + '.ptx').read_text('utf-8'))
    report = report_of_ptxas(done.stderr)
    rows = [{'kernel': short, 'threads': threads[name], **report[name]}
            for name, short in zip(threads, short_names(threads))]
    return sorted(rows, key=lambda row: row['kernel'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('sources', nargs='+', type=Path)
    parser.add_argument('--json', type=Path)
    parser.add_argument('--nvcc', default='nvcc')
    options = parser.parse_args()
    rows = [row for source in options.sources for row in resources_of(source, options.nvcc)]
    if options.json:
        options.json.write_text(json.dumps({'context': {'architecture': ARCHITECTURE}, 'resources': rows}, indent=1))
    print(tables.resource_table(rows))


if __name__ == '__main__':
    main()
