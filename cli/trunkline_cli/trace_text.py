"""What traces are about, in words for people."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline_cli import terminal
from trunkline_cli.cache_text import visible

Row = Mapping[str, Any]
HEAD = ("TIME", "TOOK", "AGENT", "CALL", "SOURCE", "ERROR", "TRACE")
SHORT = 12
"""Digits of an id that tell it from all others, as good as always."""
_MS, _S = 1000, 60_000


def table(rows: Sequence[Row]) -> str:
    """Return a line for each trace; those that failed stand out on a terminal."""
    head, *lines = terminal.table(HEAD, [_cells(row) for row in rows]).split("\n")
    painted = [
        terminal.paint(line, "red") if row.get("error") else line
        for line, row in zip(lines, rows, strict=True)
    ]
    return "\n".join([head, *painted])


def nothing(kept: Row, asked: Mapping[str, str], url: str) -> str:
    """Say why there is nothing to list."""
    narrowed = any(value for name, value in asked.items() if name not in {"limit", "lists"})
    if narrowed and kept.get("kept"):
        return f"None of the {kept['kept']} traces that the router keeps is such a one."
    if not kept.get("limit"):
        return (
            "The router keeps no traces: raise router.traces.kept in trunkline.yaml, or unset "
            "OTEL_SDK_DISABLED."
        )
    return f"The router on {url} has traced no call yet: trunkline call SERVER.TOOL makes one."


def headline(trace: Row) -> str:
    """Say what a trace is about, in a line."""
    row: Row = trace.get("row") or {}
    told = [
        terminal.paint(call_of(row), "bold") if row else "a call that is underway",
        _at(trace.get("started", 0)),
        duration(trace.get("duration_ms", 0)),
        *(visible(row[name]) for name in ("agent", "source") if row.get(name)),
        f"trace {trace.get('trace_id', '')}",
    ]
    if row.get("error"):
        told.insert(1, terminal.paint(visible(row["error"]), "red"))
    return "  ".join(told)


def missing(trace: Row) -> str:
    """Say why a trace may not be whole."""
    if trace.get("dropped"):
        return f"{trace['dropped']} of its steps were too many to be kept."
    if trace.get("row") is None:
        return "It has not ended yet: ask again when its answer has come."
    return (
        "A server has not told its part: is it running, and does it send its spans to this router "
        "(TRUNKLINE_TRACES_URL, TRUNKLINE_MESH_KEY)?"
    )


def call_of(row: Row) -> str:
    """Return what was called: SERVER.TOOL as it is typed, else what was asked."""
    server, tool = row.get("server"), row.get("tool")
    if tool:
        return visible(f"{server}.{tool}" if server else tool)
    named = str(row.get("name") or row.get("method") or "-")
    return visible(f"{named} ({server})" if server else named)


def duration(milliseconds: float) -> str:
    """Return a duration with three digits that say something."""
    if milliseconds >= _S:
        minutes, rest = divmod(milliseconds / _MS, 60)
        return f"{minutes:.0f} min {rest:.0f} s"
    if milliseconds >= _MS:
        return f"{milliseconds / _MS:.2f} s"
    return f"{milliseconds:.1f} ms"


def _cells(row: Row) -> tuple[str, ...]:
    return (
        _at(row.get("started", 0)),
        duration(row.get("duration_ms", 0)).rjust(8),
        visible(row.get("agent") or "-"),
        call_of(row),
        visible(row.get("source") or "-"),
        visible(row.get("error") or "-"),
        visible(row.get("trace_id", ""))[:SHORT],
    )


def _at(started: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(started))
