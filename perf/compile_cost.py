#!/usr/bin/env python3
"""Tells what one call costs nvcc, without a GPU, in JSON for report.py.

  compile_cost.py >FILE

The cost is that of one translation unit that sorts ints, or large keys: with mgpu, with Thrust, with no more than a
kernel. It is compiler time (CPU time, user and system: the least of the repetitions, which hardly depends on what
else runs, and the most), the size of the object, and that of the linked and stripped program, for one architecture.
The sources take turns, in an order drawn anew each round, as a machine's speed drifts.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays clean
sys.path.append(str(Path(__file__).resolve().parents[1] / 'cmake'))
from kernels import FLAGS, context  # noqa: E402  (the lines above come first)

REPETITIONS = 3
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


def costs(folder):
    programs = {name: f'{folder}/program_{i}' for i, name in enumerate(SOURCES)}
    for name, program in programs.items():
        Path(f'{program}.cu').write_text(SOURCES[name], 'utf-8')
    seconds = {name: [] for name in SOURCES}
    for _ in range(REPETITIONS):
        for name, program in random.sample(list(programs.items()), len(programs)):
            before = sum(os.times()[2:4])  # is the CPU time of children, and of theirs
            subprocess.run(['nvcc', *FLAGS, '-c', f'{program}.cu', '-o', f'{program}.o'], check=True)
            seconds[name].append(sum(os.times()[2:4]) - before)
    for name, program in programs.items():
        subprocess.run(['nvcc', f'{program}.o', '-Xlinker=-s', '-o', program], check=True)
        yield {'name': name, 'cpu_s': min(seconds[name]), 'cpu_s_most': max(seconds[name]),
               'object_bytes': os.path.getsize(f'{program}.o'), 'program_bytes': os.path.getsize(program)}


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as its_folder:
        print(json.dumps({'context': context('nvcc'), 'compile_cost': list(costs(its_folder))}, indent=1))
