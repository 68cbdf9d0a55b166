#!/usr/bin/env python3
"""What one translation unit costs that sorts ints, or large keys: with mgpu, with Thrust, with no more than a kernel.

  compile_cost.py [--json FILE] [--nvcc NVCC]

Prints a table of compiler time (CPU time, user and system: the least of the repetitions, which hardly depends on what
else runs, and the most) and of the size of the object and of the linked and stripped program, for one architecture. The
sources take turns, in an order drawn anew each round, as a machine's speed drifts.
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


def cpu_seconds(command):
    """CPU time of a command and its children."""
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def costs(nvcc, folder):
    flags = ['-std=c++17', '-O3', f'-gencode=arch=compute_{ARCHITECTURE},code=sm_{ARCHITECTURE}', f'-I{ROOT}/include',
             f'-I{ROOT}/detail']
    programs = {name: f'{folder}/program_{i}' for i, name in enumerate(SOURCES)}
    for name, program in programs.items():
        Path(f'{program}.cu').write_text(SOURCES[name], 'utf-8')
    seconds = {name: [] for name in SOURCES}
    for _ in range(REPETITIONS):
        for name, program in random.sample(list(programs.items()), len(programs)):
            seconds[name].append(cpu_seconds([nvcc, *flags, '-c', f'{program}.cu', '-o', f'{program}.o']))
    for name, program in programs.items():
        subprocess.run([nvcc, f'{program}.o', '-Xlinker=-s', '-o', program], check=True)
        yield {'name': name, 'cpu_s': min(seconds[name]), 'cpu_s_most': max(seconds[name]),
               'object_bytes': os.path.getsize(f'{program}.o'), 'program_bytes': os.path.getsize(program)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--json', type=Path)
    parser.add_argument('--nvcc', default='nvcc')
    options = parser.parse_args()
    version = subprocess.run([options.nvcc, '--version'], check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        found = list(costs(options.nvcc, folder))
    if options.json:
        context = {'date': datetime.datetime.now().isoformat(timespec='seconds'), 'architecture': ARCHITECTURE,
                   'nvcc': re.search(r'V([\d.]+)', version)[1]}
        options.json.write_text(json.dumps({'context': context, 'compile_cost': found}, indent=1))
    print(tables.compile_cost_table(found))


if __name__ == '__main__':
    main()
