"""Rows of the benchmarks' JSON, and what is computed from them."""
import json
import statistics
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

# The inputs that stand for a kind where there is room for one.
MAIN_DISTRIBUTIONS = ('uniform', 'mixed_runs', 'summands')


class Problem(NamedTuple):
    """A row's name without the library. The name of a kind of problem has neither distribution nor size."""
    algorithm: str
    key: str
    value: str
    comparator: str
    distribution: str = ''
    n: int = 0

    @property
    def kind(self):
        return Problem(*self[:4])

    @property
    def family(self):
        """What the kinds with and without values have in common."""
        return self.algorithm.removesuffix('_by_key')

    def __str__(self):
        value = '' if self.value == 'none' else f'+{self.value}'
        comparator = '' if self.comparator == 'natural' else f' {self.comparator}'
        rest = f', {self.distribution}, {size_text(self.n)}' if self.distribution else ''
        return f'{self.algorithm} {self.key}{value}{comparator}{rest}'


class Row:
    """One of "benchmarks", with the context of its file."""
    def __init__(self, entry, context):
        algorithm, self.library, *names, n = entry['name'].split('/')
        self.problem = Problem(algorithm, *names, int(n))
        self.us = entry.get('real_time', 0.0)  # the device clock's median
        self.wall_us = entry.get('wall_us')
        self.error = entry.get('error_message', 'failed') if entry.get('error_occurred') else ''
        self.commit = context.get('mgpu_commit', '?')
        self.is_of_random_size = context.get('mode') == 'random_sizes' and algorithm != 'copy'
        self.items_per_second = self.problem.n / self.us * 1e6 if self.us else 0.0
        # These are the bytes that have to be read and written at the very least.
        self.bytes_per_second = entry.get('bytes', 0.0) / self.us * 1e6 if self.us else 0.0


class Ratio:
    """mgpu's row and the best peer's, per clock. Above 1, mgpu is faster."""
    def __init__(self, mgpu, peers):
        self.problem, self.mgpu = mgpu.problem, mgpu
        self.peer = min(peers, key=lambda row: row.us)
        self.ratio = self.peer.us / mgpu.us
        walls = [row for row in peers if row.wall_us and mgpu.wall_us]
        self.wall_peer = min(walls, key=lambda row: row.wall_us, default=None)
        self.wall_ratio = self.wall_peer.wall_us / mgpu.wall_us if walls else None


class Results:
    """All that was read from some files. The context is the first one's that has a GPU, or else the first one's."""
    def __init__(self, documents):
        contexts = [document.get('context', {}) for document in documents]
        self.context = next((context for context in contexts if 'gpu' in context), contexts[0] if contexts else {})
        self.resources = [kernel for document in documents for kernel in document.get('resources', [])]
        self.compile_cost = [cost for document in documents for cost in document.get('compile_cost', [])]
        rows = [Row(entry, context) for document, context in zip(documents, contexts)
                for entry in document.get('benchmarks', [])]
        self.failed = [row for row in rows if row.error and not row.error.startswith('skipped')]
        self.rows = [row for row in rows if not row.error and not row.is_of_random_size]
        self.random_rows = [row for row in rows if not row.error and row.is_of_random_size]

    def copy_rate(self):
        """Bytes a second, read and written, of the copy in the same run; None if there was none."""
        return max((row.bytes_per_second for row in self.rows if row.problem.algorithm == 'copy'), default=None)


def load(paths):
    return Results([json.loads(Path(path).read_text('utf-8')) for path in paths])


def size_text(n):
    return f'2^{n.bit_length() - 1}' if n & (n - 1) == 0 else f'{n:,}'


def grouped(rows, name):
    """name(row) -> the rows of that name."""
    groups = defaultdict(list)
    for row in rows:
        groups[name(row)].append(row)
    return groups


def ratios(rows):
    """mgpu against the best peer, for every problem that has both; the worst first."""
    found = []
    for libraries in grouped(rows, lambda row: row.problem).values():
        peers = [row for row in libraries if row.library != 'mgpu']
        found += [Ratio(row, peers) for row in libraries if row.library == 'mgpu' and peers]
    return sorted(found, key=lambda each: each.ratio)


def by_kind(rows):
    """(kind, its ratios by size, with the main input), the worst at the largest size first."""
    found = defaultdict(dict)
    for each in ratios(rows):
        if each.problem.distribution in MAIN_DISTRIBUTIONS:
            found[each.problem.kind][each.problem.n] = each
    return sorted(found.items(), key=lambda item: item[1][max(item[1])].ratio)


def largest_fall(rows, width=5):
    """Where throughput falls most from some sizes to as many that follow, as (what is left of it, about where).
    Medians of so many, as a call may be disturbed; None if there are too few. `rows`: the smallest size first."""
    rates = [statistics.median(row.items_per_second for row in rows[i:i + width])
             for i in range(len(rows) - width + 1)]
    falls = [(after / before, rows[i + width].problem.n)
             for i, (before, after) in enumerate(zip(rates, rates[width:]))]
    return min(falls, default=None)
