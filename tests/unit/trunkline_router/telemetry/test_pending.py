"""Spans that have ended are told in order, none lost or twice, whoever else fails at it."""

import asyncio
import logging
from collections.abc import Sequence

import pytest
from opentelemetry.trace import SpanKind

from trunkline_router.span import Recorder, Span
from trunkline_router.telemetry.pending import Pending
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

RECORDER = Recorder(clock=FakeClock())


def span(name: str) -> Span:
    """Return a span that nobody is told of by itself."""
    return Span(name, SpanKind.SERVER, None, {}, RECORDER)


class Told:
    """A consumer that keeps what it is told."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.came = asyncio.Event()

    def __call__(self, spans: Sequence[Span]) -> None:
        self.batches.append([each.name for each in spans])
        self.came.set()


def failing(spans: Sequence[Span]) -> None:
    """Fail, as a consumer with a bug does."""
    raise KeyError(len(spans))


async def test_spans_wait_for_each_other_for_a_moment() -> None:
    """A few are told together, without anybody asking."""
    told = Told()
    pending = Pending([told])
    for number in range(3):
        pending.put(span(str(number)))
    assert told.batches == []
    async with asyncio.timeout(5):
        await told.came.wait()
    assert told.batches == [["0", "1", "2"]]


async def test_many_spans_do_not_wait() -> None:
    """What waits is bounded; who asks has all of the rest."""
    told = Told()
    pending = Pending([told])
    for number in range(1300):
        pending.put(span(str(number)))
    assert [len(batch) for batch in told.batches] == [16] * 81
    pending.tell()
    pending.tell()
    assert [name for batch in told.batches for name in batch] == [str(n) for n in range(1300)]


async def test_who_fails_at_it_fails_alone(caplog: pytest.LogCaptureFixture) -> None:
    """The others are told, and the log names who failed, without what was told."""
    told = Told()
    pending = Pending([failing, told])
    pending.put(span("secret-name"))
    with caplog.at_level(logging.ERROR):
        pending.tell()
    assert told.batches == [["secret-name"]]
    assert "1 spans could not be taken by" in caplog.text
    assert "secret-name" not in caplog.text
