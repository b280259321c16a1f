"""What was found, as the terminal shows it."""

from collections.abc import Sequence

from bench.findings import Cell, Findings, Limit

_LARGE, _SMALL = 100, 0.1


def show(findings: Findings) -> None:
    """Print the tables, the limits, and what was left out."""
    print(f"\n{findings.title}")
    for table in findings.tables:
        print(f"\n{table.title}" if table.title else "")
        for line in _aligned([table.columns, *table.rows]):
            print(line)
        print(f"\n{table.note}\n" if table.note else "")
    for limit in findings.limits:
        print(told(limit))
    for line in findings.left_out:
        print(f"left out: {line}")


def told(limit: Limit) -> str:
    """Return a limit and whether it is met, as one line."""
    return (
        f"{'met' if limit.met else 'MISSED'}: {limit.what}: {number(limit.value)}"
        f" (at most {number(limit.most)}{' ' + limit.unit if limit.unit else ''})"
    )


def cell(value: Cell) -> str:
    """Return what stands in a table's cell."""
    return value if isinstance(value, str) else number(value)


def number(value: float) -> str:
    """Return a number as one reads it: three figures or more, thousands set apart."""
    if isinstance(value, int) or abs(value) >= _LARGE:
        return f"{value:,.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) >= _SMALL else f"{value:.2g}"


def _aligned(rows: Sequence[Sequence[Cell]]) -> Sequence[str]:
    texts = [[cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    numeric = [
        all(not isinstance(value, str) or not value for value in column)
        for column in zip(*rows[1:], strict=True)
    ]
    return [
        "  ".join(
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in texts
    ]
