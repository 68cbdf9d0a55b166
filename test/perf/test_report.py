"""report.py computes and writes what it must from JSON made up here, and draws the plots."""
import contextlib
import importlib.util
import io
import json
import os
import tempfile
import unittest
from unittest import mock

import report
from reporting import rows, tables

HAS_MATPLOTLIB = importlib.util.find_spec('matplotlib') is not None
CONTEXT = {'date': '2026-01-02T03:04:05+00:00', 'gpu': 'NVIDIA Test', 'gpu_sm_clock': '1980 MHz',
           'gpu_memory_clock': '3201 MHz', 'driver': '1.2', 'cuda_runtime': '13.0', 'cccl': '3.0.1', 'mgpu': '0.1.0',
           'mgpu_commit': 'abc'}


def entry(name, us, wall=None, **more):
    n = int(name.rsplit('/', 1)[1])
    found = {'name': name, 'real_time': us, 'min_us': us * 0.9, 'repetitions': 5.0, 'items_per_second': n / us * 1e6,
             'bytes': 8.0 * n, **more}
    if wall is not None:
        found['wall_us'] = wall
    return found


def sort_row(library, us, n=1 << 20, wall=None, kind='u32/none/natural', distribution='uniform', algorithm='sort'):
    return entry(f'{algorithm}/{library}/{kind}/{distribution}/{n}', us, wall)


def made_up():
    """A run with two kinds of sort over sizes, a copy, and rows that did not run."""
    entries = [entry('copy/cuda/u32/none/none/sorted/268435456', 505.0)]
    for power in range(10, 30, 2):
        n = 1 << power
        for kind, algorithm in (('u32/none/natural', 'sort'), ('u32/u32/custom', 'sort_by_key')):
            for library, cost in (('mgpu', 2e-5), ('cub32', 2.2e-5), ('cub64', 1.9e-5), ('thrust', 3e-5)):
                us = 10 + cost * n
                entries.append(sort_row(library, us, n, us + 10, kind, algorithm=algorithm))
    entries.append({'name': 'sort/cub32/u32/b200/natural/uniform/1024', 'error_occurred': True,
                    'error_message': 'WRONG RESULT: items are missing'})
    entries.append({'name': 'sort/mgpu/u32/b200/natural/uniform/1024', 'error_occurred': True,
                    'error_message': 'skipped: too large'})
    return {'context': dict(CONTEXT), 'benchmarks': entries}


def scan_run():
    """Passes: a scan at 80 % of the copy's rate and a reduction at 90 %, and peers."""
    copy_us = 505.0 / (8 << 28)  # a byte
    entries = [entry('copy/cuda/u32/none/none/sorted/268435456', 505.0)]
    for name, part in (('scan/mgpu/u32/none/exclusive_plus', 0.8), ('scan/cub64/u32/none/exclusive_plus', 0.6),
                       ('reduce/mgpu/affine/none/compose', 0.9),
                       ('reduce/cub32_unordered/affine/none/compose', 0.45)):
        for n in (1 << 10, 1 << 20, 1 << 28):
            us = 8 * n * copy_us / part
            entries.append(entry(f'{name}/summands/{n}', us, us + 5))
    return {'context': dict(CONTEXT), 'benchmarks': entries}


def random_run():
    return {'context': {**CONTEXT, 'mode': 'random_sizes'},
            'benchmarks': [sort_row(library, 5 + n * cost, n) for library, cost in (('mgpu', 2e-5), ('cub64', 3e-5))
                           for n in range(1000, 60_000_000, 400_001)]}


def results_of(*documents):
    return rows.Results(documents)


class Numbers(unittest.TestCase):
    def test_rows_are_parsed(self):
        row = rows.Row(sort_row('mgpu', 12.5, 4096, 20.0), CONTEXT)
        self.assertEqual(row.problem, rows.Problem('sort', 'u32', 'none', 'natural', 'uniform', 4096))
        self.assertEqual((row.library, row.us, row.wall_us, row.commit), ('mgpu', 12.5, 20.0, 'abc'))

    def test_ratio_is_to_the_best_peer_and_worst_first(self):
        results = results_of({'benchmarks': [
            sort_row('mgpu', 10.0, wall=20.0), sort_row('thrust', 15.0, wall=60.0), sort_row('cub32', 8.0, wall=30.0),
            sort_row('cub64', 9.0), sort_row('mgpu', 10.0, 2048), sort_row('cub64', 5.0, 2048),
            sort_row('mgpu', 1.0, 512)]})  # the last has no peer
        found = rows.ratios(results.rows)
        self.assertEqual([each.problem.n for each in found], [2048, 1 << 20])
        self.assertEqual([each.peer.library for each in found], ['cub64', 'cub32'])
        self.assertAlmostEqual(found[0].ratio, 0.5)
        self.assertAlmostEqual(found[1].ratio, 0.8)
        self.assertIsNone(found[0].wall_ratio)
        self.assertAlmostEqual(found[1].wall_ratio, 1.5)

    def test_kinds_worst_at_the_largest_first(self):
        results = results_of({'benchmarks': [
            sort_row(library, us, n, kind=f'{key}/none/natural', distribution=distribution)
            for key, distribution, n, mgpu, cub in (
                ('u8', 'uniform', 1 << 20, 1.0, 4.0), ('u8', 'uniform', 1 << 10, 4.0, 1.0),
                ('u16', 'uniform', 1 << 20, 2.0, 1.0), ('u16', 'sorted', 1 << 28, 1.0, 9.0),
                ('u32', 'uniform', 1 << 24, 1.0, 2.0))
            for library, us in (('mgpu', mgpu), ('cub64', cub))]})
        found = [(kind.key, kind.family, {n: each.ratio for n, each in sizes.items()})
                 for kind, sizes in rows.by_kind(results.rows)]
        self.assertEqual(found, [('u16', 'sort', {1 << 20: 0.5}), ('u32', 'sort', {1 << 24: 2.0}),
                                 ('u8', 'sort', {1 << 20: 4.0, 1 << 10: 0.25})])

    def test_failures_are_kept_apart_and_skips_dropped(self):
        results = results_of(made_up())
        self.assertEqual([row.library for row in results.failed], ['cub32'])
        self.assertNotIn('b200', [row.problem.value for row in results.rows])
        self.assertIn('WRONG RESULT', tables.report(results))

    def test_copy_rate(self):
        self.assertAlmostEqual(results_of(made_up()).copy_rate() / 1e9, 8 * 2**28 / 505e-6 / 1e9)
        self.assertIsNone(results_of().copy_rate())

    def test_part_of_the_copy_rate(self):
        results = results_of(scan_run())
        table = tables.summary_table(results)
        self.assertRegex(table, r'\| scan u32 exclusive_plus \| 2\^28 \|.*\(cub64\) \| 3,402 \| 80% \| 1\.33 \|')
        self.assertRegex(table, r'\| reduce affine compose .*\(cub32_unordered\) \| 3,827 \| 90% \| 2\.00 \|')
        self.assertIn('| 80% |', tables.ratio_table(results))
        results.rows = [row for row in results.rows if row.problem.algorithm != 'copy']
        self.assertNotIn('%', tables.summary_table(results))

    def test_modes_are_kept_apart(self):
        results = results_of(made_up(), random_run())
        self.assertTrue(results.rows and results.random_rows)
        self.assertEqual(results.context['gpu'], 'NVIDIA Test')

    def test_random_sizes(self):
        # Throughput falls to two thirds at 50 items. One call in between was disturbed, and one size has no peer.
        us = {n: n / (3 if n < 50 else 2) for n in range(10, 100)}
        us[30] *= 10
        peer_us = {n: n / (2 if n < 70 else 1) for n in us if n != 99}
        entries = [sort_row('mgpu', us[n], n) for n in us] + [sort_row('cub64', peer_us[n], n) for n in peer_us]
        results = results_of({'context': {**CONTEXT, 'mode': 'random_sizes'}, 'benchmarks': entries})
        (kind, sizes), = rows.by_kind(results.random_rows)
        self.assertEqual(str(kind), 'sort u32')
        self.assertEqual(sorted(sizes), list(range(10, 99)))
        found = [sizes[n] for n in sorted(sizes)]
        rate, n = rows.largest_fall([each.mgpu for each in found])
        self.assertAlmostEqual(rate, 2 / 3)
        self.assertIn(n, range(48, 53))
        self.assertIsNone(rows.largest_fall([each.mgpu for each in found[:9]]))
        table = tables.random_sizes_table(results)
        self.assertRegex(table, r'\| sort u32 \| 89 \| 1\.50 \| 0\.15 \| 30 \| 0\.67 times \| (4[89]|5[0-2]) \|')
        self.assertRegex(table, r'\| 0\.50 times \| (6[89]|7[0-2]) \|')
        self.assertNotIn('times', tables.random_sizes_table(results_of(random_run())))  # none falls

    def test_comparison(self):
        before = results_of({'context': CONTEXT, 'benchmarks': [sort_row('mgpu', 10.0), sort_row('cub64', 8.0),
                                                                sort_row('mgpu', 3.0, 64)]})
        after = results_of({'context': CONTEXT, 'benchmarks': [sort_row('mgpu', 20.0), sort_row('cub64', 4.0),
                                                               sort_row('mgpu', 3.0, 128)]})
        text = tables.comparison(before, after)
        self.assertRegex(text, r'(?s)\| mgpu \| 10\.0 \| 20\.0 \| 0\.500 \|.*\| cub64 \| 8\.0 \| 4\.0 \| 2\.000 \|')
        self.assertIn('only before: mgpu sort u32, uniform, 2^6\n\nonly after: mgpu sort u32, uniform, 2^7\n', text)


class Text(unittest.TestCase):
    def test_commits(self):
        self.assertIn('mgpu 0.1.0 (abc),', tables.machine(results_of(made_up(), scan_run())))
        other = scan_run()
        other['context']['mgpu_commit'] = '012'
        self.assertIn('mgpu 0.1.0 (012: reduce scan; abc: sort sort_by_key),',
                      tables.machine(results_of(made_up(), other)))

    def test_names(self):
        self.assertEqual(str(rows.Problem('sort_by_key', 'u32', 'u64', 'custom', 'sorted', 1 << 20)),
                         'sort_by_key u32+u64 custom, sorted, 2^20')
        self.assertEqual(rows.size_text(1000), '1,000')

    def test_readme_shows_some_kinds(self):
        block = report.readme_block(results_of(made_up(), scan_run()), [('hero.png', 'h'), ('sort.png', 's')], 'there')
        for part in ('\n| sort u32 | 2^28 |', '\n| scan u32 exclusive_plus | 2^28 |', '![h](there/hero.png)',
                     '(there/report.md)'):
            self.assertIn(part, block)
        for part in ('sort_by_key', 'affine', '![s]'):  # nothing of what was not measured or is not of these
            self.assertNotIn(part, block)
        self.assertNotIn('hero.png', report.readme_block(results_of(made_up()), [], 'there'))

    def test_kinds_of_readme_are_names_of_rows(self):
        entries = [sort_row(library, 1.0, 1 << 20, kind=kind, algorithm=algorithm, distribution=distribution)
                   for library in ('mgpu', 'cub64') for algorithm, kind, distribution in (
                       ('sort', 'u32/none/natural', 'uniform'), ('sort', 'u64/none/natural', 'uniform'),
                       ('sort', 'u32/none/custom', 'uniform'), ('sort_by_key', 'u32/u32/natural', 'uniform'),
                       ('sort_by_key', 'u32/b200/natural', 'uniform'), ('merge', 'u32/none/natural', 'mixed_runs'),
                       ('reduce', 'u32/none/plus', 'summands'), ('scan', 'u32/none/exclusive_plus', 'summands'))]
        lines = tables.summary_table(results_of({'benchmarks': entries}), report.README_KINDS).splitlines()
        self.assertEqual(sorted(line.split(' | ')[0][2:] for line in lines[2:]), sorted(report.README_KINDS))

    def test_block_is_replaced(self):
        text = f'before\n{report.BEGIN}\nold\n{report.END}\nafter\n'
        block = f'{report.BEGIN}\nnew\n{report.END}'
        once = report.replace_block(text, block)
        self.assertEqual(once, f'before\n{block}\nafter\n')
        self.assertEqual(report.replace_block(once, block), once)
        with self.assertRaises(ValueError):
            report.replace_block('no marks', block)


class Files(unittest.TestCase):
    def run_report(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            report.main(list(arguments))
        return output.getvalue()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.files = []
        cost = {'compile_cost': [{'name': 'mgpu', 'cpu_s': 4.7, 'cpu_s_most': 5.15, 'object_bytes': 200000,
                                  'program_bytes': 800000},
                                 {'name': 'before there was a spread', 'cpu_s': 4.8, 'object_bytes': 200000,
                                  'program_bytes': 800000}]}
        kernels = {'resources': [{'kernel': 'k<u32>', 'registers': 64, 'threads': 512, 'spill_bytes': 28},
                                 {'kernel': 'unknown', 'registers': 64, 'threads': None, 'spill_bytes': 0}]}
        for i, document in enumerate((cost, kernels, made_up(), random_run(), scan_run())):
            self.files.append(os.path.join(self.folder, f'{i}.json'))
            with open(self.files[-1], 'w', encoding='utf-8') as file:
                json.dump(document, file)

    @unittest.skipUnless(HAS_MATPLOTLIB, 'there is no matplotlib')
    def test_report_and_readme(self):
        readme = os.path.join(self.folder, 'README.md')
        with open(readme, 'w', encoding='utf-8') as file:
            file.write(f'head\n{report.BEGIN}\n{report.END}\ntail\n')
        out = os.path.join(self.folder, 'results')
        printed = self.run_report(*self.files, '--out', out, '--readme', readme)
        self.assertIn('NVIDIA Test', printed)
        with open(os.path.join(out, 'report.md'), encoding='utf-8') as file:
            text = file.read()
        for part in ('## All rows', '## Random sizes', '## Compiling', '## Kernels', 'FAILED', '2026-01-02',
                     '| `k<u32>` | 64 | 512 | 28 |', '| `unknown` | 64 | ? | 0 |',
                     '| mgpu | 4.7 to 5.2 |', '| before there was a spread | 4.8 |'):
            self.assertIn(part, text)
        with open(readme, encoding='utf-8') as file:
            text = file.read()
        self.assertTrue(text.startswith('head\n') and text.endswith('tail\n'))
        self.assertIn('NVIDIA Test', text)
        self.assertIn('results/report.md', text)
        self.assertIn('](results/hero.png)', text)
        self.assertNotIn('](results/sort.png)', text)

    def test_compare(self):
        self.assertIn('faster by', self.run_report('--compare', self.files[2], self.files[2]))

    @unittest.skipUnless(HAS_MATPLOTLIB, 'there is no matplotlib')
    def test_plots(self):
        out = os.path.join(self.folder, 'plots')
        self.run_report(*self.files, '--out', out)
        drawn = sorted(name for name in os.listdir(out) if name.endswith('.png'))
        self.assertEqual(drawn, ['hero.png', 'random-sizes.png', 'reduce.png', 'scan.png', 'sort.png'])
        for name in drawn:
            with open(os.path.join(out, name), 'rb') as file:
                self.assertEqual(file.read(8), b'\x89PNG\r\n\x1a\n')

    def drawn(self, name, *arguments):
        """The figure that a function of plots saved, and whether all of its text lies within it."""
        from reporting import plots
        with mock.patch.object(plots.pyplot, 'close') as close:
            getattr(plots, name)(*arguments, os.path.join(self.folder, 'figure.png'))
        figure, = close.call_args.args
        self.addCleanup(plots.pyplot.close, figure)
        width, height = figure.bbox.size
        box = figure.get_tightbbox(figure.canvas.get_renderer())
        self.assertTrue(0 <= box.x0 and 0 <= box.y0 and box.x1 * figure.dpi <= width and box.y1 * figure.dpi <= height)
        return figure

    @unittest.skipUnless(HAS_MATPLOTLIB, 'there is no matplotlib')
    def test_hero(self):
        figure = self.drawn('hero', results_of(made_up(), scan_run()))
        axis, = figure.axes
        self.assertEqual([text.get_text() for text in axis.get_yticklabels()],
                         ['sort u32, 2$^{28}$', 'sort_by_key u32+u32 custom, 2$^{28}$',
                          'scan u32 exclusive_plus, 2$^{28}$', 'reduce affine compose, 2$^{28}$'])
        ends = [bar.get_x() + bar.get_width() for bar in axis.patches]
        self.assertEqual(axis.get_xscale(), 'log')
        self.assertEqual({bar.get_x() for bar in axis.patches}, {1})
        for end, ratio in zip(ends, (0.95, 0.95, 4 / 3, 2)):
            self.assertAlmostEqual(end, ratio, places=3)
        self.assertEqual([text.get_text() for text in axis.texts],
                         ['0.95', 'CUB 64', '0.95', 'CUB 64', '1.33', 'CUB 64', '2.00', 'CUB 32 reordering'])
        self.assertTrue(axis.yaxis_inverted())
        for end in ends:
            self.assertTrue(axis.get_xlim()[0] < end < axis.get_xlim()[1])

    @unittest.skipUnless(HAS_MATPLOTLIB, 'there is no matplotlib')
    def test_time_stands_beside_throughput(self):
        from reporting import plots
        results = results_of(made_up())
        sorts = [row for row in results.rows if row.problem.family == 'sort']
        figure = self.drawn('over_n', results, plots.by_kind_and_library(sorts))
        self.assertEqual([(axis.get_title(), axis.get_ylabel(), axis.get_yscale()) for axis in figure.axes],
                         [(title, label, scale) for title in ('sort u32', 'sort_by_key u32+u32 custom')
                          for label, scale in (('time, µs', 'log'), ('10⁹ items/s', 'linear'))])
        legend, = figure.legends
        self.assertEqual([text.get_text() for text in legend.get_texts()], ['mgpu', 'CUB 32', 'CUB 64', 'Thrust'])
        n, us = figure.axes[0].get_lines()[0].get_data()
        self.assertEqual((n[0], us[0]), (1 << 10, 10 + 2e-5 * (1 << 10)))


if __name__ == '__main__':
    unittest.main()
