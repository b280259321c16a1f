"""A trace as a tree with bars: who took how much of the time, one beneath the other."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline_cli import terminal
from trunkline_cli.cache_text import visible
from trunkline_cli.trace_text import SHORT, duration

Span = Mapping[str, Any]
_DEEPEST = 10
_LONGEST_NAME = 48
_NARROWEST_BAR = 10
_BLOCKS = "█", "▏"
_PLAIN = "#", "|"


def lines(trace: Span, width: int, *, verbose: bool) -> Iterator[str]:
    """Return a line for each step, as wide as the terminal, and what else there is to say of it."""
    spans: Sequence[Span] = trace.get("spans", [])
    depths = _depths(spans)
    names = [_name(span, depth) for span, depth in zip(spans, depths, strict=True)]
    services = [visible(span.get("service", "")) for span in spans]
    took = [duration(span.get("duration_ms", 0)) for span in spans]
    widths = [max((len(cell) for cell in cells), default=0) for cells in (services, names, took)]
    room = max(_NARROWEST_BAR, width - sum(widths) - 7)
    whole = max(float(trace.get("duration_ms", 0)), 1e-3)
    for span, service, name, time in zip(spans, services, names, took, strict=True):
        text = f"{service.ljust(widths[0])}  {name.ljust(widths[1])}  {time.rjust(widths[2])}  "
        yield _painted(span, (text + _bar(span, whole, room)).rstrip())
        yield from _besides(span, " " * (widths[0] + 4), verbose=verbose)


def _painted(span: Span, line: str) -> str:
    return terminal.paint(line, "red") if span.get("error") else line


def _besides(span: Span, indent: str, *, verbose: bool) -> Iterator[str]:
    if span.get("error"):
        yield terminal.paint(f"{indent}error: {visible(span['error'])}", "red")
    for link in span.get("links", []):
        yield f"{indent}linked to trace {visible(link.get('trace_id', ''))[:SHORT]}"
    if verbose:
        for key, value in span.get("attributes", {}).items():
            yield terminal.paint(f"{indent}{visible(key)}: {visible(value)}", "dim")


def _depths(spans: Sequence[Span]) -> list[int]:
    """Return how deep each step stands; parents come before their children."""
    depth: dict[str, int] = {}
    for span in spans:
        depth[str(span.get("span_id"))] = depth.get(str(span.get("parent_id")), -1) + 1
    return [depth[str(span.get("span_id"))] for span in spans]


def _name(span: Span, depth: int) -> str:
    name = "  " * min(depth, _DEEPEST) + visible(span.get("name", ""))
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _bar(span: Span, whole: float, room: int) -> str:
    """Return where in the whole a step lies, and how much of it it takes."""
    full, thin = _BLOCKS if _can_draw() else _PLAIN
    share = room / whole
    offset = min(max(float(span.get("offset_ms", 0)) * share, 0), room - 1)
    length = min(float(span.get("duration_ms", 0)) * share, room - offset)
    return " " * int(offset) + (full * round(length) or thin)


def _can_draw() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
