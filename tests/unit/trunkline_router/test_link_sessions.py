"""Sessions come and go: one for each caller, few, not for long; and calls that wait in them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from yarl import URL

from tests.standing_clock import StandingClock
from trunkline_router.adapters.links.client import Client
from trunkline_router.adapters.links.connection import Deliver
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.parking import Parking, ParkingTerms
from trunkline_router.adapters.links.pending import Pending, Question
from trunkline_router.adapters.links.server_sessions import ServerSessions, SessionTerms
from trunkline_router.link import NeverSent, Post
from trunkline_router.model import Json, Unheard
from trunkline_shared.errors import Cancelled, Overloaded
from trunkline_shared.signing import SigningKeys

pytestmark = pytest.mark.anyio


@dataclass(eq=False)
class Wire:
    """A connection that answers the handshake at once, and a call never."""

    deliver: Deliver
    sent: list[Json] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    hears: bool = True

    async def carry(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:
        self.sent.append(message)
        if message["method"] == "initialize":
            found: Json = {"protocolVersion": "2025-06-18", "capabilities": {}}
            self.deliver({"jsonrpc": "2.0", "id": message["id"], "result": found}, None)
        await pending.over()

    async def send(self, message: Json) -> None:
        self.sent.append(message)
        if message.get("method") == "notifications/cancelled":
            self.cancelled.set()

    async def ready(self, version: str) -> None:
        assert version == "2025-06-18"

    async def close(self) -> None:
        self.ended.set()


@dataclass
class Wires:
    """A server that takes any number of connections, slowly if `gate` is closed."""

    url: URL = field(default_factory=lambda: URL("http://x/"))
    made: list[Wire] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def connect(self, deliver: Deliver, lost: Callable[[Exception], None]) -> Wire:
        await self.gate.wait()
        wire = Wire(deliver)
        self.made.append(wire)
        return wire


@asynccontextmanager
async def of(
    wires: Wires, clock: StandingClock, **terms: float
) -> AsyncIterator[tuple[ServerSessions, LinkTasks]]:
    background = LinkTasks()
    sessions = ServerSessions(
        server="s",
        connector=wires,
        clock=clock,
        terms=SessionTerms(**terms),  # type: ignore[arg-type]  # as a test says
        background=background,
    )
    wires.gate.set()
    try:
        async with asyncio.timeout(5):
            yield sessions, background
    finally:
        await sessions.close()
        await background.close()


def post(**changes: object) -> Post:
    given: dict[str, object] = {
        "server": "s",
        "number": 1,
        "method": "tools/call",
        "params": {"name": "act", "arguments": {}},
        "channel": Unheard(),
        "partition": "ada",
    }
    return Post(**given | changes)  # type: ignore[arg-type]  # as a test says


ADA, BOB = Client(partition="ada"), Client(partition="bob")


async def test_a_session_is_opened_once_however_many_want_it() -> None:
    """Also when the first of them leaves before it is there."""
    wires = Wires()
    async with of(wires, StandingClock()) as (sessions, _):
        wires.gate.clear()
        async with asyncio.TaskGroup() as tasks:
            wanting = [tasks.create_task(sessions.of(ADA)) for _ in range(3)]
            await asyncio.sleep(0)
            wanting[0].cancel()
            await asyncio.sleep(0)
            wires.gate.set()
        assert wanting[1].result() is wanting[2].result()
        assert await sessions.of(BOB) is not wanting[1].result()
    assert len(wires.made) == 2
    assert all(wire.ended.is_set() for wire in wires.made)


async def test_who_waits_for_a_session_hears_that_its_link_was_closed() -> None:
    """It is no cancellation of the call: the call was never sent, and may be sent another way."""
    wires = Wires()
    async with of(wires, StandingClock()) as (sessions, background):
        wires.gate.clear()
        wanting = asyncio.ensure_future(sessions.of(ADA))
        await asyncio.sleep(0)
        await background.close()
        with pytest.raises(NeverSent):
            await wanting


async def test_an_odd_message_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever goes wrong with it, the next one is read."""
    wires, heard = Wires(), list[str]()

    def hear(method: str, params: Json) -> None:
        heard.append(str(params["uri"]))

    async with of(wires, StandingClock()) as (sessions, _):
        session = await sessions.of(ADA)
        session.peer.listeners.append(hear)
        caplog.set_level(logging.CRITICAL)
        for params in ({}, {"uri": "x://1"}):
            wires.made[0].deliver({"jsonrpc": "2.0", "method": "a", "params": params}, None)
        session.peer.listeners.clear()
    assert heard == ["x://1"]


async def test_an_idle_session_ends_and_a_busy_one_does_not() -> None:
    """After five minutes in which nobody used it."""
    wires, clock = Wires(), StandingClock()
    async with of(wires, clock) as (sessions, _):
        await sessions.of(ADA)
        busy = await sessions.of(BOB)
        busy.begin(post(partition="bob"))
        for _ in range(6):
            await clock.pass_by(60, sleepers=1)
        await wires.made[0].ended.wait()
        assert not wires.made[1].ended.is_set()
        assert await sessions.of(BOB) is busy


async def test_the_session_that_was_idle_longest_makes_room() -> None:
    """When all are in use, the next caller hears that they are."""
    wires, clock = Wires(), StandingClock()
    async with of(wires, clock, most=2) as (sessions, _):
        await sessions.of(ADA)
        clock.advance(1)
        bob = await sessions.of(BOB)
        eve = await sessions.of(Client(partition="eve"))
        await wires.made[0].ended.wait()
        bob.begin(post(partition="bob"))
        eve.begin(post(partition="eve"))
        with pytest.raises(Overloaded, match="all are in use"):
            await sessions.of(ADA)


async def test_a_call_that_nobody_comes_back_to_is_given_up() -> None:
    """The server hears that nobody answered, and that the call is cancelled."""
    wires, clock = Wires(), StandingClock()
    keys = SigningKeys((b"k" * 32,))
    async with of(wires, clock, idle_s=10_000) as (sessions, background):
        parking = Parking(keys=keys, clock=clock, background=background)
        session = await sessions.of(Client(partition="ada", capabilities={"elicitation": {}}))
        pending = session.begin(post())
        pending.ask(Question(id="q", method="elicitation/create", params={}))
        reply = parking.park(session, pending, post())
        await clock.pass_by(600, sleepers=2)
        await wires.made[0].cancelled.wait()
        assert {"q"} <= {one.get("id") for one in wires.made[0].sent if "error" in one}
        assert reply.result is not None
        with pytest.raises(Cancelled, match="not waiting here any more"):
            parking.taken(post(), str(reply.result["requestState"]))


async def test_only_so_many_calls_wait() -> None:
    """One more is given up at once, and its caller told."""
    wires, clock = Wires(), StandingClock()
    async with of(wires, clock) as (sessions, background):
        terms = ParkingTerms(most=1)
        keys = SigningKeys((b"k" * 32,))
        parking = Parking(keys=keys, clock=clock, background=background, terms=terms)
        session = await sessions.of(ADA)
        parking.park(session, session.begin(post()), post())
        with pytest.raises(Overloaded, match="wait for an answer already"):
            parking.park(session, session.begin(post()), post())
        assert len(session.peer.pending) == 1
