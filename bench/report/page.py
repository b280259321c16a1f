"""The page of all figures."""

from collections.abc import Iterator, Mapping, Sequence

from bench.findings import Cell, Findings, Limit, Table
from bench.report.figures import Measured
from bench.report.terminal import cell, number

_HEAD = """# What the benchmark found

Written by `make bench`, which is `python -m bench`; `python -m bench NAME` measures one part anew
and leaves the others as they are. [figures.json](figures.json) has the same for programs, and
[docs/performance.md](../../docs/performance.md) says how it is measured and how to read it.
"""


def page(known: Mapping[str, Measured], order: Sequence[str]) -> str:
    """Return the page in Markdown, its parts in their order."""
    parts = {name: known[name] for name in order if name in known}
    return "\n".join([_HEAD, *_machine(parts), *_limits(parts), *_parts(parts)]).rstrip() + "\n"


def _machine(parts: Mapping[str, Measured]) -> Iterator[str]:
    last = max(parts.values(), key=lambda measured: measured.on["date"])
    yield "Measured on: " + ", ".join(_told(name, text) for name, text in last.on.items()) + ".\n"
    for name, measured in parts.items():
        if other := {key: text for key, text in measured.on.items() if last.on.get(key) != text}:
            told = ", ".join(_told(key, text) for key, text in other.items())
            yield f"`{name}` was measured on its own: {told}.\n"


def _told(name: str, text: str) -> str:
    return text if name in {"date", "machine", "system"} else f"{name} {text}"


def _limits(parts: Mapping[str, Measured]) -> Iterator[str]:
    rows = [
        (f"[{name}](#{name})", *_row(limit))
        for name, measured in parts.items()
        for limit in measured.findings.limits
    ]
    yield "## Limits\n"
    yield from _table(("part", "what", "found", "at most", ""), rows)
    yield ""


def _row(limit: Limit) -> tuple[str, str, str, str]:
    unit = f" {limit.unit}" if limit.unit else ""
    told = "met" if limit.met else "**missed**"
    return limit.what, number(limit.value) + unit, number(limit.most) + unit, told


def _parts(parts: Mapping[str, Measured]) -> Iterator[str]:
    for name, measured in parts.items():
        yield f"## {name}\n"
        yield f"**{measured.findings.title}.** {measured.findings.about}\n"
        yield from _found(measured.findings)


def _found(findings: Findings) -> Iterator[str]:
    for table in findings.tables:
        yield from _titled(table)
    for chart in findings.charts:
        yield f"![{chart.title}]({chart.name}.svg)\n"
    for line in findings.left_out:
        yield f"Left out: {line.rstrip('.')}.\n"


def _titled(table: Table) -> Iterator[str]:
    if table.title:
        yield f"{table.title}:\n"
    yield from _table(table.columns, table.rows)
    yield ""
    if table.note:
        yield f"{table.note}\n"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    yield "| " + " | ".join(columns) + " |"
    right = [
        bool(rows) and all(not isinstance(row[at], str) for row in rows)
        for at in range(len(columns))
    ]
    yield "|" + "|".join("---:" if one else "---" for one in right) + "|"
    for row in rows:
        yield "| " + " | ".join(cell(value) for value in row) + " |"
