#!/usr/bin/env python3
"""Counts what a reader of the sources passes on the way from a call to its deepest primitive.

  walks.py [NAME...] [--max NAME=LINES]... [--max-code NAME=LINES]... [--cxx CXX] [--include DIR...]

A walk starts at a program with one call. It passes those files of include/ and detail/ that code of the program comes
from, by the line tables of a build without optimisation over the headers of test/emulator, and counts all lines of
these files. So a file does not count whose functions the call does not instantiate, or which has only declarations and
constants; nor does a wrapper of instructions where the emulator has its own. Beside the walks stands what each public
header includes of ours. Lines of code are those that are not empty, a comment, or an inclusion: cutting a file in two, or
explaining more, adds none. With names, only these are counted, and their files are listed. Exit status 1 if one of --max
has more lines, or one of --max-code more lines of code.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = tuple(os.path.join(ROOT, folder, '') for folder in ('include', 'detail'))
COMPARATOR = ('struct by_low_bit {'
              ' __host__ __device__ bool operator()(int a, int b) const { return (a & 1) < (b & 1); } };')

WALKS = {  # name -> header and program
    'sort': ('mgpu/sort.h', 'void call(int* first, int* last) { mgpu::sort(mgpu::par, first, last); }'),
    'sort_by_digits': ('mgpu/sort.h', 'void call(int* first, int* last) {'
                       ' mgpu::sort(mgpu::par.with_tuning(mgpu::detail::onesweep_large_tuning<4, 0>{}), first, last); }'),
    'sort_by_comparator': ('mgpu/sort.h', COMPARATOR + 'void call(int* first, int* last) { mgpu::sort('
                           'mgpu::par.with_tuning(mgpu::detail::merge_sort_large_tuning<4, 0>{}), first, last, by_low_bit{});'
                           ' }'),
    'sort_large_values': ('mgpu/sort.h', 'struct large { char bytes[200]; };'
                          'void call(int* first, int* last, large* values) {'
                          ' mgpu::sort_by_key(mgpu::par, first, last, values); }'),
    'merge': ('mgpu/merge.h', 'void call(int* first, int* middle, int* last, int* result) {'
              ' mgpu::merge(mgpu::par, first, middle, middle, last, result); }'),
    'reduce': ('mgpu/reduce.h', 'int call(int* first, int* last) { return mgpu::reduce(mgpu::par, first, last); }'),
    'inclusive_scan': ('mgpu/scan.h', 'void call(int* first, int* last, int* result) {'
                       ' mgpu::inclusive_scan(mgpu::par, first, last, result); }'),
}
HEADERS = sorted(os.path.relpath(path, OURS[0]) for path in glob.glob(f'{OURS[0]}mgpu/*.h')
                 if not path.endswith('/distributed.h'))  # which needs nccl.h


def ours(paths):
    return sorted(path for path in {os.path.realpath(path) for path in paths} if path.startswith(OURS))


def output_of(options, text, *flags):
    """What the compiler prints for a source text."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'call.cpp')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        includes = [*OURS, f'{ROOT}/test', *options.include]
        command = [options.cxx, '-std=c++17', '-w', '-DMGPU_EMULATED=90', *flags, source, '-o', '-',
                   *(f'-I{include}' for include in includes)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def walked(options, header, program):
    """The files of ours that have code in the program."""
    assembly = output_of(options, f'#include <{header}>\n{program}\n', '-O0', '-g1', '-S')
    names = re.findall(r'^\s*\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?', assembly, re.MULTILINE)
    used = set(re.findall(r'^\s*\.loc\s+(\d+)', assembly, re.MULTILINE))
    return ours(os.path.join(folder, name) for number, folder, name in names if number in used)


def included(options, header):
    """The files of ours that a header includes, with itself."""
    rule = output_of(options, f'#include <{header}>\n', '-M').replace('\\\n', ' ')
    return ours(name.replace('\\ ', ' ') for name in re.split(r'(?<!\\)\s+', rule))


def lines_of(path):
    """How many lines a file has, and how many of them are code."""
    with open(path, encoding='utf-8') as file:
        lines = [line.strip() for line in file]
    return len(lines), sum(1 for line in lines if line and not line.startswith(('//', '#include', '#pragma once')))


def bound(text):
    name, _, lines = text.partition('=')
    return name, int(lines)


def main():
    nvcc = shutil.which('nvcc')
    toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else '/usr/local/cuda'
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', metavar='NAME', help=' '.join([*WALKS, *HEADERS]))
    for name in ('--max', '--max-code'):
        parser.add_argument(name, action='append', type=bound, default=[], metavar='NAME=LINES')
    parser.add_argument('--cxx', default='c++')
    parser.add_argument('--include', nargs='+', metavar='DIR', help="CUDA's headers; by default those of nvcc",
                        default=[f'{toolkit}/include', f'{toolkit}/include/cccl'])
    options = parser.parse_args()
    names = options.names or [*WALKS, *HEADERS]
    bounds = [(*each, 0) for each in options.max] + [(*each, 1) for each in options.max_code]
    not_counted = {*names, *(name for name, *_ in bounds)} - (set(names) & {*WALKS, *HEADERS})
    if not_counted:
        parser.error(f'not counted: {" ".join(sorted(not_counted))}')

    found = {}
    print('| | files | lines | of code |\n| --- | ---: | ---: | ---: |')
    for name in names:
        counts = {path: lines_of(path) for path in (walked(options, *WALKS[name]) if name in WALKS
                                                    else included(options, name))}
        found[name] = [sum(column) for column in zip(*counts.values())]
        print('| {} | {} | {:,} | {:,} |'.format(name, len(counts), *found[name]))
        if options.names:
            for path, count in counts.items():
                print('|   {} | | {} | {} |'.format(os.path.relpath(path, ROOT), *count))
    beyond = [f'{name}: {found[name][column]:,} lines{" of code" * column}, at most {most:,} are allowed'
              for name, most, column in bounds if found[name][column] > most]
    print('\n'.join(beyond))
    return 1 if beyond else 0


if __name__ == '__main__':
    sys.exit(main())
