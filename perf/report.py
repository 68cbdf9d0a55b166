#!/usr/bin/env python3
"""Turns the benchmarks' JSON into tables and plots.

  report.py FILE... [--out DIR]        writes DIR/report.md and PNG plots, and prints the table by kind
  report.py FILE... --readme README.md [--out DIR]
                                       also puts the short of it between the marks in README.md, with links into DIR
  report.py --compare BEFORE AFTER     prints two files row by row, those that lost most first

FILE: what bench_*, compile_cost.py and cmake/kernels.py wrote, in any order and number.
"""
import argparse
import os
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays clean
from reporting import rows, tables  # noqa: E402  (the line above comes first)

# The rows that README shows: a sort and a merge of every sort, a reduction and a scan.
README_KINDS = ('sort u32', 'sort u64', 'sort u32 custom', 'sort_by_key u32+u32', 'sort_by_key u32+b200', 'merge u32',
                'reduce u32 plus', 'scan u32 exclusive_plus')
BEGIN, END = '<!-- perf:begin -->', '<!-- perf:end -->'


def readme_block(results, images, folder):
    """What stands between the marks: the hero plot and a few rows. `folder` is where the rest is, from README."""
    lines = [BEGIN, f'Measured on {tables.machine(results)}. {tables.ceiling(results)}']
    lines += [f'![{title}]({folder}/{name})\n' for name, title in images if name == 'hero.png']
    if results.rows:
        lines += [f'{tables.EXPLANATION}\n', tables.summary_table(results, README_KINDS)]
    if results.compile_cost:
        lines.append(tables.compile_cost_table(results.compile_cost))
    lines += [f'All rows, and time and throughput over n: [{folder}/report.md]({folder}/report.md).', END]
    return '\n'.join(lines)


def replace_block(text, block):
    """README's text with the block in place of what is between the marks now."""
    replaced, count = re.subn(f'{BEGIN}.*{END}', lambda _: block, text, flags=re.DOTALL)
    if count == 0:
        raise ValueError(f'README has no {BEGIN} ... {END}')
    return replaced


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='*', metavar='FILE')
    parser.add_argument('--out', metavar='DIR', type=Path, default='.')
    parser.add_argument('--readme', metavar='README.md', type=Path)
    parser.add_argument('--compare', nargs=2, metavar=('BEFORE', 'AFTER'))
    options = parser.parse_args(arguments)
    if options.compare:
        print(tables.comparison(*(rows.load([path]) for path in options.compare)))
        return
    if not options.files:
        parser.error('no files')

    from reporting import plots  # to compare, matplotlib is not needed
    results = rows.load(options.files)
    options.out.mkdir(parents=True, exist_ok=True)
    images = plots.draw(results, options.out)
    (options.out / 'report.md').write_text(tables.report(results, images), 'utf-8')
    if options.readme:
        folder = os.path.relpath(options.out, options.readme.absolute().parent)
        block = readme_block(results, images, folder)
        options.readme.write_text(replace_block(options.readme.read_text('utf-8'), block), 'utf-8')
    print(tables.machine(results))
    print(tables.ceiling(results) + tables.failures(results))
    if results.rows:
        print(tables.summary_table(results))


if __name__ == '__main__':
    main()
