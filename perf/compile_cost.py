#!/usr/bin/env python3
"""What one translation unit costs that sorts ints: with mgpu, with Thrust, and with no more than a kernel.

  compile_cost.py [--arch 90] [--repeat 3] [--json FILE] [--nvcc NVCC]

Compiler time is CPU time, user and system: the least of the repetitions, which hardly depends on what else runs, and
the most. The sources take turns, in an order drawn anew each round, as a machine's speed drifts. Sizes are of the
object and of the linked and stripped program, for one architecture. This prints a markdown table.
"""
import argparse
import datetime
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources' folder stays clean
from reporting import tables  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = '''
int main(int argc, char**) {{
  int* keys = nullptr;
  cudaMalloc(&keys, sizeof(int) * argc);
  {}keys, keys + argc);
}}
'''
SOURCES = {
    'an empty kernel': '__global__ void empty_kernel(int*, int*) {}\n' + PROGRAM.format('empty_kernel<<<1, 1>>>('),
    '`mgpu::sort<int>`': '#include <mgpu/sort.h>' + PROGRAM.format('mgpu::sort(mgpu::par, '),
    '`thrust::sort<int>`': '#include <thrust/sort.h>\n#include <thrust/system/cuda/execution_policy.h>' +
                           PROGRAM.format('thrust::sort(thrust::cuda::par, ')}


def cpu_seconds(command):
    """CPU time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def costs_of(options, folder):
    flags = ['-std=c++17', '-O3', '-gencode', f'arch=compute_{options.arch},code=sm_{options.arch}',
             f'-I{ROOT}/include', f'-I{ROOT}/detail']
    programs = {name: os.path.join(folder, f'program_{i}') for i, name in enumerate(SOURCES)}
    for name, program in programs.items():
        with open(f'{program}.cu', 'w', encoding='utf-8') as file:
            file.write(SOURCES[name])
    seconds = {name: [] for name in SOURCES}
    for _ in range(options.repeat):
        for name, program in random.sample(list(programs.items()), len(programs)):
            seconds[name].append(cpu_seconds([options.nvcc, *flags, '-c', f'{program}.cu', '-o', f'{program}.o']))
    for name, program in programs.items():
        subprocess.run([options.nvcc, f'{program}.o', '-Xlinker=-s', '-o', program], check=True)
        yield {'name': name, 'cpu_s': min(seconds[name]), 'cpu_s_most': max(seconds[name]),
               'object_bytes': os.path.getsize(f'{program}.o'), 'program_bytes': os.path.getsize(program)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--arch', type=int, default=90)
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--json')
    parser.add_argument('--nvcc', default='nvcc')
    options = parser.parse_args()

    version = subprocess.run([options.nvcc, '--version'], check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        costs = list(costs_of(options, folder))
    if options.json:
        context = {'date': datetime.datetime.now().isoformat(timespec='seconds'), 'architecture': options.arch,
                   'nvcc': re.search(r'V([\d.]+)', version)[1]}
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump({'context': context, 'compile_cost': costs}, file, indent=1)
    print(tables.compile_cost_table(costs))


if __name__ == '__main__':
    main()
