"""Charts as pictures that are the same for the same figures, on light pages and on dark ones."""

from math import floor, log10
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter
from matplotlib.typing import RcKeyType

from bench.findings import Bars, Chart
from bench.report.terminal import number

_INK = "#7a7f87"
"""Read as well on white as on GitHub's dark pages, as the colours are."""
_COLOURS = ("#3d85c6", "#d9822b", "#3a9d5d", "#c0504d", "#8e6bbf", "#8c6d46", "#c96aa5", "#5f9ea0")
_STYLE: dict[RcKeyType, object] = {
    "svg.hashsalt": "trunkline",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "axes.titlecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": _INK,
    "grid.alpha": 0.25,
    "legend.frameon": False,
}


def draw(chart: Chart | Bars, folder: Path) -> Path:
    """Write a chart as SVG; return its file."""
    file = folder / f"{chart.name}.svg"
    with mpl.rc_context(_STYLE):
        height = 4.2 if isinstance(chart, Chart) else 1.1 + 0.32 * len(chart.lengths)
        figure = Figure(figsize=(8, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(chart.title, loc="left")
        axes.set_xlabel(chart.x)
        if isinstance(chart, Chart):
            _curves(axes, chart)
        else:
            _bars(axes, chart)
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    # Its lines end in blanks that nobody needs.
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("".join(f"{line.rstrip()}\n" for line in lines), encoding="utf-8")
    return file


def _curves(axes: Axes, chart: Chart) -> None:
    for at, (name, points) in enumerate(chart.curves.items()):
        across, up = zip(*points, strict=True)
        colour = _COLOURS[at % len(_COLOURS)]
        axes.plot(across, up, marker="o", markersize=4, label=name, color=colour)
    axes.set_ylabel(chart.y)
    axes.set_xscale("log" if chart.log_x else "linear")
    axes.set_yscale("log" if chart.log_y else "linear")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.legend(labelcolor=_INK)


def _bars(axes: Axes, chart: Bars) -> None:
    names, lengths = list(chart.lengths), list(chart.lengths.values())
    colours = [_COLOURS[name in chart.ours] for name in names]
    drawn = axes.barh(names, lengths, color=colours, height=0.7)
    axes.bar_label(drawn, labels=[number(length) for length in lengths], padding=4, color=_INK)
    axes.margins(x=0.12)
    axes.grid(visible=False, axis="y")
    axes.invert_yaxis()
    if chart.log_x:
        axes.set_xscale("log")
        # Bars have to begin somewhere, and nothing does at nothing.
        axes.set_xlim(left=10 ** floor(log10(min(lengths) / 2)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda at, _: number(at)))
