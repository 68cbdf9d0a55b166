"""PNG plots: throughput over n, the curve over random sizes, the tuning landscape."""
import re

import matplotlib
matplotlib.use('Agg')
from matplotlib import pyplot, ticker  # noqa: E402  (after the choice of a backend that needs no display)

from .rows import MAIN_DISTRIBUTIONS, Kind, size_text  # noqa: E402
from .tables import machine  # noqa: E402

STYLES = {  # colours that the colour-blind can tell apart
    'mgpu': {'color': '#0072b2', 'linewidth': 2.4, 'marker': 'o', 'zorder': 3},
    'cub32': {'color': '#e69f00', 'marker': 's'},
    'cub64': {'color': '#d55e00', 'marker': 'D'},
    'thrust': {'color': '#009e73', 'marker': '^'},
    'thrust_gather': {'color': '#7fcfb8', 'marker': 'v'},
}


def style(library):
    return {'markersize': 4, 'linewidth': 1.2, 'color': 'grey', **STYLES.get(library.removesuffix('_unordered'), {})}


def panels(count, columns=3, width=4.6, height=3.4):
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = pyplot.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    for unused in axes.flat[count:]:
        unused.set_visible(False)
    return figure, list(axes.flat[:count])


def save(figure, path, title):
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def by_kind_and_library(rows):
    kinds = {}
    for row in rows:
        kinds.setdefault(row.problem.kind, {}).setdefault(row.library, []).append(row)
    return dict(sorted(kinds.items()))


def throughput(results, family, path):
    """A panel per kind that was measured at three sizes or more; returns whether there is any."""
    rows = [row for row in results.rows if row.problem.distribution in MAIN_DISTRIBUTIONS
            and row.problem.algorithm in (family, f'{family}_by_key')]
    kinds = {kind: libraries for kind, libraries in by_kind_and_library(rows).items()
             if max(len(rows) for rows in libraries.values()) >= 3}
    if not kinds:
        return False
    figure, axes = panels(len(kinds))
    for axis, (kind, libraries) in zip(axes, kinds.items()):
        for library, rows in sorted(libraries.items()):
            rows = sorted(rows, key=lambda row: row.problem.n)
            axis.plot([row.problem.n for row in rows], [row.items_per_second / 1e9 for row in rows], label=library,
                      **style(library))
        axis.set_xscale('log', base=2)
        axis.set_ylim(bottom=0)
        axis.set_title(str(kind), fontsize=10)
        axis.set_xlabel('n')
        axis.set_ylabel('10⁹ items/s')
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    save(figure, path, machine(results))
    return True


def random_sizes(results, path):
    """Throughput over random sizes, on a linear and on a logarithmic axis, a row of panels per kind."""
    kinds = by_kind_and_library(results.random_rows)
    if not kinds:
        return False
    figure, axes = panels(2 * len(kinds), columns=2, width=7)
    for i, (kind, libraries) in enumerate(kinds.items()):
        for axis, scale in zip(axes[2 * i:2 * i + 2], ('linear', 'log')):
            for library, rows in sorted(libraries.items()):
                axis.scatter([row.problem.n for row in rows], [row.items_per_second / 1e9 for row in rows], s=2,
                             color=style(library)['color'], label=library)
            if scale == 'log':
                axis.set_xscale('log', base=2)
            else:
                axis.xaxis.set_major_locator(ticker.MultipleLocator(8 << 20))
                axis.xaxis.set_major_formatter(lambda x, _: f'{x / 2**20:.0f} Mi')
            axis.set_ylim(bottom=0)
            axis.set_title(f'{kind}, random sizes', fontsize=10)
            axis.set_xlabel('n')
            axis.set_ylabel('10⁹ items/s')
            axis.grid(alpha=0.3)
            axis.legend(fontsize=8, markerscale=4)
    save(figure, path, machine(results))
    return True


SHAPE = re.compile(r'(\d+)x(\d+)b(\d+)')


def shape_of(text):
    """(threads, items, minimum blocks) of a shape like 512x17b2."""
    return tuple(int(part) for part in SHAPE.fullmatch(text).groups())


def landscape(rows, which):
    """The best time for each shape of the tile sort (which = 0) or of the merge (1), over what was tried with it."""
    best = {}
    for row in rows:
        if row.problem.comparator == 'shipped':
            continue
        shape = shape_of(row.problem.comparator.split('_')[which])
        best[shape] = min(best.get(shape, row.us), row.us)
    return best


def draw_landscape(axis, best, title):
    items = sorted({shape[1] for shape in best})
    blocks = sorted({(shape[0], shape[2]) for shape in best})
    fastest = min(best.values())
    grid = [[best.get((threads, count, minimum), float('nan')) / fastest for count in items]
            for threads, minimum in blocks]
    axis.imshow(grid, cmap='viridis_r', vmin=1, vmax=1.5, aspect='auto')
    for y, line in enumerate(grid):
        for x, value in enumerate(line):
            if value == value:  # not for those that were not tried
                axis.text(x, y, f'{value:.2f}', ha='center', va='center', fontsize=7,
                          color='white' if value > 1.25 else 'black')
    axis.set_xticks(range(len(items)), [str(count) for count in items])
    axis.set_yticks(range(len(blocks)), [f'{threads}, {minimum}' for threads, minimum in blocks])
    axis.set_xlabel('items a thread')
    axis.set_ylabel('threads, min. blocks')
    axis.set_title(title, fontsize=9)


def tuning(results, path):
    """Per item type and size two maps, of the tile sort's shapes and of the merge's: time over the fastest."""
    by_input = {}
    for row in results.tuning_rows:
        by_input.setdefault((row.problem.key, row.problem.value, row.problem.n), []).append(row)
    by_input = {name: rows for name, rows in by_input.items() if landscape(rows, 0)}
    if not by_input:
        return False
    figure, axes = panels(2 * len(by_input), columns=2, width=6.4, height=4.2)
    for i, ((key, value, n), rows) in enumerate(sorted(by_input.items())):
        kind = Kind('', key, value, 'natural')
        for which, name in enumerate(('tile sort', 'merge')):
            draw_landscape(axes[2 * i + which], landscape(rows, which),
                           f'{kind}, {size_text(n)}: {name}, time / fastest')
    save(figure, path, machine(results))
    return True
