#!/usr/bin/env python3
"""Turns the benchmarks' JSON into tables and plots.

  report.py FILE... [--out DIR]        writes DIR/report.md and PNG plots, and prints the table by kind
  report.py FILE... --readme README.md [--out DIR]
                                       also puts the short of it between the marks in README.md, with links into DIR
  report.py --compare BEFORE AFTER     prints two files row by row, those that lost most first

FILE: what bench_*, resources.py and compile_cost.py wrote, in any order and number.
"""
import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the sources' folder stays clean
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from reporting import rows, tables  # noqa: E402  (the path is set first)

HERO = 'hero.png'
# The rows that README shows: a sort and a merge of every sort, a reduction and a scan.
README_KINDS = ('sort u32', 'sort u64', 'sort u32 custom', 'sort_by_key u32+u32', 'sort_by_key u32+b200', 'merge u32',
                'reduce u32 plus', 'scan u32 exclusive_plus')
BEGIN, END = '<!-- perf:begin -->', '<!-- perf:end -->'


def draw(results, folder):
    """Writes the plots that there is data for. Returns their (file name, title)."""
    try:
        from reporting import plots
    except ImportError as error:
        print(f'no plots: {error}', file=sys.stderr)
        return []
    families = sorted({row.problem.family for row in results.rows} - {'copy'})
    wanted = [(HERO, 'Ratio to the best of Thrust and CUB, each kind of row at its largest size', plots.hero, ()),
              *((f'{family}.png', f'Time and throughput of {family} over n', plots.over_n, (family,))
                for family in families),
              ('random-sizes.png', 'Time and throughput over random sizes', plots.random_sizes, ())]
    return [(name, title) for name, title, plot, arguments in wanted
            if plot(results, *arguments, os.path.join(folder, name))]


def readme_block(results, images, folder):
    """What stands between the marks: the hero plot and a few rows. `folder` is where the rest is, seen from README."""
    lines = [BEGIN, f'Measured on {tables.machine(results)}. {tables.ceiling(results)}']
    lines += [f'![{title}]({folder}/{name})\n' for name, title in images if name == HERO]
    if results.rows:
        lines += [f'{tables.EXPLANATION}\n', tables.summary_table(results, README_KINDS)]
    if results.compile_cost:
        lines.append(tables.compile_cost_table(results.compile_cost))
    lines.append(f'All rows, and time and throughput over n: [{folder}/report.md]({folder}/report.md).')
    return '\n'.join(lines) + '\n' + END


def replace_block(text, block):
    """README's text with the block in place of what is between the marks now."""
    begin, end = text.find(BEGIN), text.find(END)
    if begin < 0 or end < begin:
        raise ValueError(f'README has no {BEGIN} ... {END}')
    return text[:begin] + block + text[end + len(END):]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='*', metavar='FILE')
    parser.add_argument('--out', metavar='DIR', default='.')
    parser.add_argument('--readme', metavar='README.md')
    parser.add_argument('--compare', nargs=2, metavar=('BEFORE', 'AFTER'))
    options = parser.parse_args(arguments)

    if options.compare:
        before, after = options.compare
        print(tables.comparison(rows.load([before]), rows.load([after])))
        return 0
    if not options.files:
        parser.error('no files')

    results = rows.load(options.files)
    os.makedirs(options.out, exist_ok=True)
    images = draw(results, options.out)
    Path(options.out, 'report.md').write_text(tables.report(results, images), encoding='utf-8')
    if options.readme:
        readme = Path(options.readme)
        folder = os.path.relpath(options.out, readme.absolute().parent)
        readme.write_text(replace_block(readme.read_text('utf-8'), readme_block(results, images, folder)), 'utf-8')

    print(tables.machine(results))
    print(tables.ceiling(results) + tables.failures(results))
    if results.rows:
        print(tables.summary_table(results))
    return 0


if __name__ == '__main__':
    sys.exit(main())
