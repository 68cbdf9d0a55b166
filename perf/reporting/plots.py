"""PNG plots: the ratios to the best peer, time and throughput over n, random sizes."""
import itertools
import re

import matplotlib
import PIL.Image
matplotlib.use('Agg')
from matplotlib import lines, patches, pyplot, ticker  # noqa: E402  (after the choice of a backend without a display)

from .rows import MAIN_DISTRIBUTIONS, by_kind, grouped, size_text  # noqa: E402
from .tables import machine_text  # noqa: E402

pyplot.rcParams.update({'axes.axisbelow': True, 'axes.titlesize': 10, 'grid.alpha': 0.3, 'legend.frameon': False})

# Colours that the colour-blind can tell apart. Peers that run the same code draw the same curve: the later dashes lie
# on top of the earlier solid line, so that both are seen.
STYLES = {
    'mgpu': {'label': 'mgpu', 'color': '#0072b2', 'linewidth': 2.4, 'marker': 'o', 'zorder': 4},
    'cub32': {'label': 'CUB 32', 'color': '#e69f00', 'marker': 's', 'zorder': 2},
    'cub64': {'label': 'CUB 64', 'color': '#a03c00', 'marker': 'D', 'zorder': 2.1, 'linestyle': (0, (4, 3))},
    'thrust': {'label': 'Thrust', 'color': '#009e73', 'marker': '^', 'zorder': 2.2, 'linestyle': (0, (1, 2))},
    'thrust_gather': {'label': 'Thrust + gather', 'color': '#cc79a7', 'marker': 'v'},
}
FAMILY_COLOURS = {'sort': '#0072b2', 'merge': '#e69f00', 'scan': '#009e73', 'reduce': '#cc79a7'}
PANELS = [('time, µs', 'log'), ('10⁹ items/s', 'log')]  # of each kind: what is drawn over n, and how n is


def style(library):
    """How a library's line looks. Hollow marks are for peers that may reorder the operands."""
    name = library.removesuffix('_unordered')
    found = {'label': name, 'markersize': 4, 'linewidth': 1.3, 'color': 'grey', **STYLES.get(name, {})}
    if name != library:
        found |= {'label': f'{found["label"]} reordering', 'markerfacecolor': 'white'}
    return found


def save(figure, path, results, title, note='', handles=(), dpi=110):
    """Writes the figure, with its title, the machine and the legend in a strip of their own above the panels."""
    def below_top(inches):
        return 1 - inches / figure.get_figheight()
    figure.text(0.5, below_top(0.1), title, ha='center', va='top', fontsize=13, weight='bold')
    machine = machine_text(results.context, mgpu='mgpu', cccl='CCCL', cuda_runtime='CUDA')
    figure.text(0.5, below_top(0.38), note + machine, ha='center', va='top', fontsize=8.5, color='dimgrey')
    figure.legend(handles=list(handles), loc='upper center', bbox_to_anchor=(0.5, below_top(0.53)), ncol=8)
    figure.tight_layout(rect=(0, 0, 1, below_top(0.85 if handles else 0.6)))
    figure.savefig(path, dpi=dpi)
    pyplot.close(figure)
    image = PIL.Image.open(path).convert('RGB')
    image.quantize(128).save(path, optimize=True)  # a third of the bytes


def by_kind_and_library(rows):
    kinds = grouped(rows, lambda row: row.problem.kind)
    return {kind: grouped(kinds[kind], lambda row: row.library) for kind in sorted(kinds)}


def draw_over_n(axis, title, libraries, quantity, scale, **more):
    """A line per library; the time on a logarithmic axis, the throughput on one that begins at 0."""
    is_time = quantity.startswith('time')
    for library, rows in libraries.items():
        rows = sorted(rows, key=lambda row: row.problem.n)
        axis.plot([row.problem.n for row in rows],
                  [row.us if is_time else row.items_per_second / 1e9 for row in rows], **{**style(library), **more})
    if scale == 'log':
        axis.set_xscale('log', base=2)
    else:
        axis.xaxis.set_major_locator(ticker.MultipleLocator(16 << 20))
        axis.xaxis.set_major_formatter(lambda x, _: f'{x / 2**20:.0f} Mi')
    if is_time:
        axis.set_yscale('log')
        axis.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 3)))
        axis.yaxis.set_major_formatter('{x:,.0f}')
        axis.yaxis.set_minor_locator(ticker.NullLocator())
    else:
        axis.set_ylim(bottom=0)
    axis.set(title=title, xlabel='n', ylabel=quantity)
    axis.grid()


def draw_kinds(results, kinds, path, title, panels, columns, width, height, **more):
    """Some panels for each kind, with a legend of all libraries, mgpu first."""
    panels = list(itertools.product(kinds.items(), panels))
    figure, axes = pyplot.subplots(-(-len(panels) // columns), columns, squeeze=False)
    figure.set_size_inches(width * columns, height * len(axes) + 1)
    for axis, ((kind, libraries), panel) in zip(axes.flat, panels):
        draw_over_n(axis, str(kind), libraries, *panel, **more)
    for unused in axes.flat[len(panels):]:
        unused.set_visible(False)
    names = sorted(set().union(*kinds.values()), key=lambda name: (name != 'mgpu', name.endswith('_unordered'), name))
    save(figure, path, results, title, handles=[lines.Line2D([], [], **style(library)) for library in names])


def hero(results, path):
    """The ratio to the best peer of each kind at its largest size, the worst first. Bars begin at 1 on a logarithmic
    axis, so that their length is the gain: none at 1, and twice as fast is as long as half as fast."""
    found = [sizes[max(sizes)] for _, sizes in by_kind(results.rows)]
    figure, axis = pyplot.subplots(figsize=(9, 0.2 * len(found) + 1.5))
    ratios = [each.ratio for each in found]
    axis.barh(range(len(found)), [ratio - 1 for ratio in ratios], left=1, height=0.7,
              color=[FAMILY_COLOURS.get(each.problem.family, 'grey') for each in found])
    axis.axvline(1, color='black', linewidth=1.4)
    for y, each in enumerate(found):
        x = max(each.ratio, 1)
        axis.annotate(f'{each.ratio:.2f}', (x, y), (4, 0), textcoords='offset points', va='center', fontsize=8.5,
                      weight='bold')
        axis.annotate(style(each.peer.library)['label'], (x, y), (31, 0), textcoords='offset points', va='center',
                      fontsize=7.5, color='dimgrey')
    names = [f'{each.problem.kind}, {size_text(each.problem.n)}' for each in found]
    axis.set_yticks(range(len(found)), [re.sub(r'\^(\d+)', r'$^{\1}$', name) for name in names], fontsize=8.5)
    axis.tick_params(axis='y', length=0)
    axis.set_ylim(len(found) - 0.4, -0.6)
    axis.set(xscale='log', xlim=(min(*ratios, 1) / 1.01, max(*ratios, 1) * 1.7))
    axis.xaxis.set_major_locator(ticker.FixedLocator([0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16]))
    axis.xaxis.set_minor_locator(ticker.NullLocator())
    axis.xaxis.set_major_formatter('{x:g}×')
    axis.set_xlabel('time of the best peer (named in grey) / time of mgpu, logarithmic axis')
    axis.grid(axis='x')
    axis.spines[['top', 'right', 'left']].set_visible(False)
    axis.legend(handles=[patches.Patch(color=colour, label=family) for family, colour in FAMILY_COLOURS.items()
                         if any(each.problem.family == family for each in found)], loc='upper right')
    save(figure, path, results, 'mgpu: how many times as fast as the best of Thrust and CUB',
         'Each kind of row at its largest size, medians of the device clock. ', dpi=180)


def over_n(results, kinds, path):
    """Time beside throughput for each of some kinds of one family."""
    draw_kinds(results, kinds, path, f'{next(iter(kinds)).family}: time and throughput over n', PANELS,
               columns=4 if len(kinds) > 1 else 2, width=3.6, height=2.6)


def random_sizes(results, kinds, path):
    """Time and throughput over random sizes, and throughput on a linear axis, a row of panels per kind."""
    draw_kinds(results, kinds, path, 'Time and throughput over random sizes', [*PANELS, ('10⁹ items/s', 'linear')],
               columns=3, width=4.8, height=3.2, linestyle='none', marker='.', markersize=2)


def draw(results, folder):
    """Draws into the folder what there is data for, and returns each plot's (file name, title)."""
    drawn = []
    if by_kind(results.rows):
        hero(results, folder / 'hero.png')
        drawn.append(('hero.png', 'Ratio to the best of Thrust and CUB, each kind of row at its largest size'))
    # Over n there are the kinds that were measured at three sizes or more.
    rows = [row for row in results.rows if row.problem.distribution in MAIN_DISTRIBUTIONS]
    kinds = [(kind, libraries) for kind, libraries in by_kind_and_library(rows).items()
             if max(len(rows) for rows in libraries.values()) >= 3]
    for family, of_family in sorted(grouped(kinds, lambda item: item[0].family).items()):
        over_n(results, dict(of_family), folder / f'{family}.png')
        drawn.append((f'{family}.png', f'Time and throughput of {family} over n'))
    if results.random_rows:
        random_sizes(results, by_kind_and_library(results.random_rows), folder / 'random-sizes.png')
        drawn.append(('random-sizes.png', 'Time and throughput over random sizes'))
    return drawn
