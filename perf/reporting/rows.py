"""Rows of the benchmarks' JSON, and what is computed from them."""
import json
from dataclasses import dataclass, field
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


@dataclass
class Row:
    problem: Problem
    library: str
    us: float  # the device clock's median
    wall_us: float
    bytes: float  # what has to be read and written at the very least
    error: str

    @property
    def items_per_second(self):
        return self.problem.n / self.us * 1e6

    @property
    def bytes_per_second(self):
        return self.bytes / self.us * 1e6


@dataclass
class Ratio:
    """mgpu's row and the best peer's, per clock. Above 1, mgpu is faster."""
    problem: Problem
    mgpu: Row
    peer: Row
    wall_peer: Row

    @property
    def ratio(self):
        return self.peer.us / self.mgpu.us

    @property
    def wall_ratio(self):
        return self.wall_peer.wall_us / self.mgpu.wall_us if self.wall_peer else None


@dataclass
class Results:
    """All that was read from some files."""
    context: dict = field(default_factory=dict)
    rows: list = field(default_factory=list)
    random_rows: list = field(default_factory=list)
    failed: list = field(default_factory=list)
    resources: list = field(default_factory=list)
    compile_cost: list = field(default_factory=list)
    algorithms_by_commit: dict = field(default_factory=dict)

    def copy_rate(self):
        """Bytes a second, read and written, of the copy in the same run; None if there was none."""
        rates = [row.bytes_per_second for row in self.rows if row.problem.algorithm == 'copy']
        return max(rates, default=None)


def size_text(n):
    return f'2^{n.bit_length() - 1}' if n & (n - 1) == 0 else f'{n:,}'


def parse_row(entry):
    """A row of an entry of "benchmarks", or None if its name is not one of ours."""
    parts = entry['name'].split('/')
    if len(parts) != 7 or not parts[6].isdigit():
        return None
    algorithm, library, *names, n = parts
    error = entry.get('error_message', 'failed') if entry.get('error_occurred') else ''
    return Row(Problem(algorithm, *names, int(n)), library, entry.get('real_time', 0.0), entry.get('wall_us'),
               entry.get('bytes', 0.0), error)


def load(paths):
    """Results of one or more files. The context is the first one's that has a GPU, or else the first one's."""
    results = Results()
    for path in paths:
        with open(path, encoding='utf-8') as file:
            add(results, json.load(file))
    return results


def add(results, document):
    context = document.get('context', {})
    if not results.context or ('gpu' in context and 'gpu' not in results.context):
        results.context = context
    results.resources += document.get('resources', [])
    results.compile_cost += document.get('compile_cost', [])
    for entry in document.get('benchmarks', []):
        row = parse_row(entry)
        if row is None:
            continue
        if row.error:
            if not row.error.startswith('skipped'):
                results.failed.append(row)
        elif context.get('mode') == 'random_sizes' and row.problem.algorithm != 'copy':
            results.random_rows.append(row)
        else:
            results.rows.append(row)
            if row.library == 'mgpu':
                commit = context.get('mgpu_commit', '?')
                results.algorithms_by_commit.setdefault(commit, set()).add(row.problem.algorithm)


def grouped(rows, name):
    """name(row) -> the rows of that name."""
    groups = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return groups


def ratios(rows):
    """mgpu against the best peer, for every problem that has both; the worst first."""
    found = []
    for problem, libraries in grouped(rows, lambda row: row.problem).items():
        peers = [row for row in libraries if row.library != 'mgpu']
        if not peers or len(peers) == len(libraries):
            continue
        mgpu, = (row for row in libraries if row.library == 'mgpu')
        walls = [row for row in peers if row.wall_us] if mgpu.wall_us else []
        found.append(Ratio(problem, mgpu, min(peers, key=lambda row: row.us),
                           min(walls, key=lambda row: row.wall_us, default=None)))
    return sorted(found, key=lambda each: each.ratio)


def by_kind(rows):
    """(kind, its ratios by size, with the main input), the worst at the largest size first."""
    found = {}
    for each in ratios(rows):
        if each.problem.distribution in MAIN_DISTRIBUTIONS:
            found.setdefault(each.problem.kind, {})[each.problem.n] = each
    return sorted(found.items(), key=lambda item: item[1][max(item[1])].ratio)


def compared(before, after):
    """(row before, row after) of all rows that are in both, those that lost most first; and the names in only one."""
    old, new = ({(row.problem, row.library): row for row in results.rows + results.random_rows}
                for results in (before, after))
    pairs = sorted(((old[name], new[name]) for name in old if name in new), key=lambda pair: pair[0].us / pair[1].us)
    return pairs, old.keys() - new.keys(), new.keys() - old.keys()
