"""The spans of a trace as a tree: each beneath its parent, those that began earlier before."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trunkline_router.telemetry.seen_span import SeenSpan


class Placed(NamedTuple):
    """A span where it stands; one whose parent is not among the spans `is_root`."""

    span: SeenSpan
    is_root: bool


def placed(spans: Sequence[SeenSpan]) -> list[Placed]:
    """Return every span once, parents before their children; a circle is cut where it begins."""
    by_id = {span.span_id: span for span in spans}
    below: dict[int, list[SeenSpan]] = defaultdict(list)
    for span in sorted(spans, key=_began):
        below[span.parent_id if span.parent_id in by_id else 0].append(span)
    told = [*_beneath(below.pop(0, ()), below, set())]
    known = {one.span.span_id for one in told}
    for span in sorted(spans, key=_began):
        if span.span_id not in known:
            circle = [*_beneath([span], below, known)]
            known.update(one.span.span_id for one in circle)
            told += circle
    return told


def _beneath(
    roots: Iterable[SeenSpan], below: dict[int, list[SeenSpan]], known: set[int]
) -> Iterator[Placed]:
    """Return roots and all that stands beneath them; no span of a circle comes twice."""
    passed = set(known)
    waiting = [Placed(span, is_root=True) for span in roots][::-1]
    while waiting:
        one = waiting.pop()
        if one.span.span_id in passed:
            continue
        passed.add(one.span.span_id)
        yield one
        children = below.get(one.span.span_id, ())
        waiting += [Placed(child, is_root=False) for child in children][::-1]


def _began(span: SeenSpan) -> tuple[float, float]:
    return span.started, -span.ended
