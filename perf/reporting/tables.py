"""Markdown: the tables of a report."""
import statistics

from .rows import by_kind, grouped, largest_fall, ratios, size_text

EXPLANATION = '''\
Ratios above 1: mgpu is faster than the best of its peers, which are Thrust, and CUB with 32- and 64-bit counts;
`thrust_gather` sorts indices, then gathers large values; `…_unordered` may reorder operands that do not commute.
Medians of the device clock; "wall": the whole call on the host. Worst first. GB/s: what has to be read and
written at the very least, input and result once each; "of copy": what part that is of the device copy's.'''


def table(head, lines, left=1):
    """A markdown table whose first `left` columns are text and whose others are numbers."""
    rule = ['---'] * left + ['---:'] * (len(head) - left)
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in [head, rule, *lines]) + '\n'


def number(value, digits=2):
    return '' if value is None else f'{value:,.{digits}f}'


def micros(value):
    return number(value, 0 if value and value >= 1000 else 1)


def machine_text(context, **titles):
    """The GPU, what of the context has a title, and the day."""
    parts = [f'{title} {context[name]}'.strip() for name, title in titles.items() if name in context]
    return ', '.join([context.get('gpu', 'unknown GPU'), *parts] + [context['date'][:10]] * ('date' in context))


def machine(results):
    """A line that says what was measured on what, and when; and where several commits were, what at which."""
    context = dict(results.context)
    commits = grouped([row for row in results.rows if row.library == 'mgpu'], lambda row: row.commit)
    text = '; '.join(f'{commit}: {" ".join(sorted({row.problem.algorithm for row in commits[commit]}))}'
                     for commit in sorted(commits))
    if 'mgpu' in context:
        context['mgpu'] += f' ({text if len(commits) > 1 else context.get("mgpu_commit", "?")})'
    return machine_text(context, gpu_sm_clock='', gpu_memory_clock='memory', driver='driver', cuda_runtime='CUDA',
                        cccl='CCCL', mgpu='mgpu')


def traffic(row, results):
    """The necessary bytes a second in GB/s, and what part of the copy's that is."""
    rate = results.copy_rate()
    return [number(row.bytes_per_second / 1e9, 0), f'{row.bytes_per_second / rate:.0%}' if rate else '']


def ratio_table(results):
    head = ['problem', 'best peer', 'mgpu µs', 'peer µs', 'ratio', 'mgpu wall µs', 'best wall µs', 'wall ratio',
            'mgpu GB/s', 'of copy']
    return table(head, [[str(each.problem), each.peer.library, micros(each.mgpu.us), micros(each.peer.us),
                         number(each.ratio), micros(each.mgpu.wall_us),
                         f'{micros(each.wall_peer.wall_us)} ({each.wall_peer.library})' if each.wall_peer else '',
                         number(each.wall_ratio), *traffic(each.mgpu, results)] for each in ratios(results.rows)],
                 left=2)


def summary_table(results, kinds=None):
    """A line per kind of problem with its main input, at three sizes. Worst at the largest first. `kinds`: the names
    of those wanted, if not all are."""
    lines = []
    for kind, sizes in by_kind(results.rows):
        if kinds and str(kind) not in kinds:
            continue
        large = sizes[max(sizes)]
        line = [str(kind), size_text(large.problem.n), number(large.mgpu.items_per_second / 1e9),
                f'{number(large.peer.items_per_second / 1e9)} ({large.peer.library})', *traffic(large.mgpu, results)]
        for each in (large, sizes.get(1 << 20), sizes.get(1 << 10)):
            line += [number(each.ratio), number(each.wall_ratio)] if each else ['', '']
        lines.append(line)
    head = ['', 'n', 'mgpu G/s', 'best peer G/s', 'mgpu GB/s', 'of copy', 'ratio', 'wall', '2^20: ratio', 'wall',
            '2^10: ratio', 'wall']
    return table(head, lines)


def random_sizes_table(results):
    """A line per kind: the ratios over all sizes, and where more items take so much longer that throughput falls, of mgpu
    and of the best peer."""
    def fall(found):
        rate, n = largest_fall(found) or (None, None)
        return [f'{rate:.2f} times', size_text(n)] if rate and rate < 1 else ['', '']

    lines = []
    for kind, sizes in by_kind(results.random_rows):
        found = [sizes[n] for n in sorted(sizes)]
        least = min(found, key=lambda each: each.ratio)
        line = [str(kind), number(len(found), 0), number(statistics.median(each.ratio for each in found)),
                number(least.ratio), size_text(least.problem.n)]
        lines.append(line + fall([each.mgpu for each in found]) + fall([each.peer for each in found]))
    return table(['', 'sizes', 'ratio, median', 'least', 'at', 'throughput falls most to', 'near', "the peer's", 'near'],
                 lines)


def ceiling(results):
    rate = results.copy_rate()
    return f'Device copy in the same run: {rate / 1e9:,.0f} GB/s, read and written.\n' if rate else ''


def failures(results):
    lines = [f'- `{row.library}` {row.problem}: {row.error}\n' for row in results.failed]
    return '**FAILED rows:**\n\n' + ''.join(lines) if lines else ''


def resources_table(kernels):
    return table(['kernel', 'registers', 'threads', 'spilled bytes'],
                 [[f'`{kernel["kernel"]}`', str(kernel['registers']), str(kernel['threads'] or '?'),
                   str(kernel['spill_bytes'])] for kernel in kernels])


def compile_cost_table(costs):
    """The seconds are the least, and where it is known, the most."""
    return table(['one translation unit with', 'compiler CPU s', 'object KB', 'program KB'],
                 [[cost['name'],
                   ' to '.join(number(cost[name], 1) for name in ('cpu_s', 'cpu_s_most') if name in cost),
                   *(number(cost[name] / 1000, 0) for name in ('object_bytes', 'program_bytes'))] for cost in costs])


def report(results, images=()):
    """The whole report."""
    text = f'# Measured: {machine(results)}\n\n{ceiling(results)}\n{failures(results)}\n{EXPLANATION}\n'
    text += ''.join(f'\n![{title}]({name})\n' for name, title in images)
    if results.rows:
        text += '\n## By kind\n\n' + summary_table(results) + '\n## All rows\n\n' + ratio_table(results)
    if results.random_rows:
        text += '\n## Random sizes\n\n' + random_sizes_table(results)
    if results.compile_cost:
        text += '\n## Compiling\n\n' + compile_cost_table(results.compile_cost)
    if results.resources:
        text += '\n## Kernels\n\n' + resources_table(results.resources)
    return text


def comparison(before, after):
    """Two runs, row by row, those that lost most first."""
    old, new = ({(str(row.problem), row.library): row for row in results.rows + results.random_rows}
                for results in (before, after))
    pairs = sorted(((old[name], new[name]) for name in old if name in new), key=lambda pair: pair[0].us / pair[1].us)
    lines = [[str(row.problem), row.library, micros(row.us), micros(now.us), number(row.us / now.us, 3),
              number(row.wall_us / now.wall_us, 3) if row.wall_us and now.wall_us else ''] for row, now in pairs]
    text = f'- before: {machine(before)}\n- after: {machine(after)}\n\n{failures(after)}'
    text += table(['row', 'library', 'before µs', 'after µs', 'faster by', 'wall'], lines, left=2)
    for names, title in ((old.keys() - new.keys(), 'only before'), (new.keys() - old.keys(), 'only after')):
        if names:
            text += f'\n{title}: ' + '; '.join(sorted(f'{library} {problem}' for problem, library in names)) + '\n'
    return text
