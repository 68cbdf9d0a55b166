#!/usr/bin/env python3
"""What one translation unit costs that sorts ints: with mgpu, with Thrust, and with no more than a kernel.

  compile_cost.py [--arch 90] [--repeat 3] [--json FILE] [--nvcc NVCC]

Compiler time is CPU time, user and system, the least of the repetitions, so that it hardly depends on what else runs;
the most is said, too. The sources take turns, in an order drawn anew each round, as a machine's speed drifts. Sizes are of the object and of the linked and stripped program, for one architecture. Prints a markdown table.
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

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SOURCES = [('an empty kernel', 'empty_kernel.cu'), ('`mgpu::sort<int>`', 'mgpu_sort.cu'),
           ('`thrust::sort<int>`', 'thrust_sort.cu')]


def cpu_seconds(command):
    """CPU time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def costs_of(options, folder):
    """The cost of each source, which take turns in an order drawn anew each round."""
    flags = ['-std=c++17', '-O3', '-gencode', f'arch=compute_{options.arch},code=sm_{options.arch}',
             f'-I{ROOT}/include', f'-I{ROOT}/detail']
    seconds = {source: [] for _, source in SOURCES}
    for _ in range(options.repeat):
        for source in random.sample(list(seconds), len(seconds)):
            seconds[source].append(cpu_seconds([options.nvcc, *flags, '-c', os.path.join(HERE, 'compile_cost', source),
                                                '-o', os.path.join(folder, f'{source}.o')]))
    for name, source in SOURCES:
        target = os.path.join(folder, source)
        subprocess.run([options.nvcc, f'{target}.o', '-Xlinker=-s', '-o', target], check=True)
        yield {'name': name, 'cpu_s': min(seconds[source]), 'cpu_s_most': max(seconds[source]),
               'object_bytes': os.path.getsize(f'{target}.o'), 'program_bytes': os.path.getsize(target)}


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
