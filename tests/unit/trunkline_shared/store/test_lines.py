"""The lines of a process: one per key, kept as long as somebody needs it."""

import pytest

from trunkline_shared.store.lines import Lines
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


async def test_a_key_has_one_line() -> None:
    """Whoever asks."""
    lines = Lines(clock=FakeClock())
    line = lines.at("a", remembered_s=1)
    line.ended = lines.clock.monotonic()
    assert lines.at("a", remembered_s=1) is line
    assert lines.at("b", remembered_s=1) is not line


async def test_a_line_that_nobody_needs_is_forgotten() -> None:
    """Tokens that are minted anew leave nothing behind."""
    clock = FakeClock()
    lines = Lines(clock=clock)
    lines.at("a", remembered_s=10).ended = clock.monotonic()
    clock.advance(11)
    lines.at("b", remembered_s=10)
    assert list(lines.kept) == ["b"]


async def test_a_line_in_use_is_kept() -> None:
    """While somebody is at its head, or waits."""
    clock = FakeClock()
    lines = Lines(clock=clock)
    held = lines.at("held", remembered_s=1)
    await held.lock.acquire()
    awaited = lines.at("awaited", remembered_s=1)
    awaited.waiting = 1
    clock.advance(1000)
    lines.at("other", remembered_s=1)
    assert lines.kept["held"] is held
    assert lines.kept["awaited"] is awaited
