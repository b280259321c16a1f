"""The feed costs nothing while nobody watches, and forgets whoever has left."""

import asyncio
import gc
import logging
import weakref

import pytest

from tests.unit.trunkline_router.telemetry.spanning import call
from trunkline_router.model import Json
from trunkline_router.telemetry.listener import Listener
from trunkline_router.telemetry.live_feed import LiveFeed
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


def feed() -> LiveFeed:
    """Return a feed over a buffer."""
    return LiveFeed(TraceBuffer(lambda: 10), FakeClock(), period_s=0.01)


class States:
    """Counts how often it was asked, and tells."""

    def __init__(self) -> None:
        self.asked = 0
        self.again = asyncio.Event()

    def __call__(self) -> Json:
        self.asked += 1
        if self.asked > 2:
            self.again.set()
        return {"number": self.asked}


@pytest.mark.requirement("seeing.live-bounded")
async def test_a_state_is_made_once_for_all_who_watch_and_for_nobody() -> None:
    """With the last one it ends."""
    live, states, listeners = feed(), States(), [Listener() for _ in range(3)]
    async with asyncio.timeout(5):
        with (
            live.heard_by(listeners[0], states),
            live.heard_by(listeners[1], states),
            live.heard_by(listeners[2], states),
        ):
            before = states.asked
            for one in listeners:
                one.take()
            states.again.clear()
            await states.again.wait()
            assert states.asked == before + 1
            assert len({one.take() for one in listeners}) == 1
    assert live.next_state is None


@pytest.mark.requirement("seeing.live-bounded")
async def test_nothing_is_kept_for_who_has_left() -> None:
    """Neither the listener, nor a word for it."""
    live, listener = feed(), Listener()
    with live.heard_by(listener, States()):
        live([call(1)])
    assert b"event: call" in listener.take()
    live([call(2)])
    assert listener.take() == b""
    gone = weakref.ref(listener)
    del listener
    gc.collect()
    assert gone() is None


async def test_a_state_that_cannot_be_told_ends_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is logged, and tried again."""
    listener, asked, again = Listener(), 0, asyncio.Event()

    def states() -> Json:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise RuntimeError("no state")
        if asked == 3:
            again.set()
        return {}

    with caplog.at_level(logging.ERROR), feed().heard_by(listener, states):
        async with asyncio.timeout(5):
            await again.wait()
    assert "cannot be told" in caplog.text
