"""One session's half of the client: answers, questions and notifications find their request."""

import asyncio

import orjson
import pytest

from trunkline_router.adapters.links.client import ROUTER, Client
from trunkline_router.adapters.links.peer import Peer, more_verbose
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.link import Reply
from trunkline_router.model import Json
from trunkline_shared.errors import UpstreamUnavailable

pytestmark = pytest.mark.anyio

ASKED = Client(partition="ada", capabilities={"roots": {}, "elicitation": {}})
ELICIT: Json = {"jsonrpc": "2.0", "id": "s-1", "method": "elicitation/create", "params": {}}
ROOTS: Json = {"jsonrpc": "2.0", "id": "s-2", "method": "roots/list"}


class Heard:
    """A channel that keeps what it is told."""

    def __init__(self) -> None:
        self.messages: list[Json] = []

    async def send(self, frame: bytes) -> None:
        self.messages.append(orjson.loads(frame.partition(b"data: ")[2]))


def begun(peer: Peer, method: str = "tools/call", **given: object) -> Pending:
    given = {"asks": True, "token": None, "level": None} | given
    pending = Pending(number=peer.number(), method=method, **given)  # type: ignore[arg-type]  # as a test says
    peer.begin(pending)
    return pending


async def followed(pending: Pending, channel: Heard | None = None) -> Reply | None:
    async with asyncio.timeout(5):
        return await pending.follow(channel or Heard())


async def test_each_answer_finds_its_request() -> None:
    """In any order, on one stream."""
    peer = Peer("s", ASKED)
    first, second = begun(peer), begun(peer)
    peer.received({"id": second.number, "result": {"n": 2}})
    peer.received({"id": first.number, "result": {"n": 1}})
    assert await followed(first) == Reply(result={"n": 1})
    assert await followed(second) == Reply(result={"n": 2})


async def test_an_error_without_an_id_is_that_of_the_stream_it_came_on() -> None:
    """Where the wire tells; on a shared stream it is nobody's."""
    peer = Peer("s", ASKED)
    pending = begun(peer)
    error: Json = {"id": None, "error": {"code": -1, "message": "no"}}
    peer.received(error)
    assert not pending.ended
    peer.received(error, pending)
    reply = await followed(pending)
    assert reply is not None
    assert reply.error is not None


@pytest.mark.parametrize("body", [{"result": []}, {"error": "x"}, {"error": {"code": "1"}}])
async def test_an_answer_that_is_none_is_the_servers_failure(body: Json) -> None:
    """The call does not wait for another."""
    peer = Peer("s", ASKED)
    pending = begun(peer)
    peer.received({"id": pending.number} | body)
    with pytest.raises(UpstreamUnavailable):
        await followed(pending)


async def test_a_question_goes_to_the_youngest_call_that_can_be_asked() -> None:
    """A wire with one stream does not tell more; the answer goes to the question's own id."""
    peer = Peer("s", ASKED)
    begun(peer)
    younger = begun(peer)
    begun(peer, "tools/list", asks=False)
    assert peer.received(ELICIT) is None
    assert await followed(younger) is None
    assert [one.id for one in younger.questions.values()] == ["s-1"]


async def test_a_question_that_the_server_takes_back_is_not_asked() -> None:
    """`notifications/cancelled` of its own request."""
    peer = Peer("s", ASKED)
    pending = begun(peer)
    peer.received(ELICIT)
    peer.received({"method": "notifications/cancelled", "params": {"requestId": "s-1"}})
    assert not pending.questions


@pytest.mark.parametrize("method", ["elicitation/create", "sampling/createMessage", "odd/method"])
async def test_what_nobody_can_be_asked_is_refused(method: str) -> None:
    """-32601 at once: outside a call, not offered, or not known."""
    peer = Peer("s", ASKED)
    answer = peer.received(ELICIT | {"method": method})
    assert answer is not None
    assert answer["error"]["code"] == -32601  # type: ignore[index]  # JSON


async def test_roots_that_are_asked_for_outside_a_call_are_asked_with_the_next() -> None:
    """Servers ask right after the handshake; a call that ends first leaves it to the next one."""
    peer = Peer("s", ASKED)
    assert peer.received(ROOTS) is None
    first = begun(peer)
    assert await followed(first) is None
    peer.received({"id": first.number, "result": {}})
    peer.forget(first)
    second = begun(peer)
    assert [one.id for one in second.questions.values()] == ["s-2"]


async def test_the_router_itself_has_no_roots() -> None:
    """The server that lists is not left waiting."""
    answer = Peer("s", ROUTER).received(ROOTS)
    assert answer == {"jsonrpc": "2.0", "id": "s-2", "result": {"roots": []}}


async def test_progress_comes_under_the_callers_own_token() -> None:
    """Also when the caller has come back with another token meanwhile."""
    peer, heard = Peer("s", ASKED), Heard()
    pending = begun(peer, token="first")
    silent = begun(peer)
    for number in (pending.number, silent.number, 99, "x"):
        params: Json = {"progressToken": number, "progress": 1}
        peer.received({"method": "notifications/progress", "params": params})
    pending.taken_up({"progressToken": "second"})
    peer.received({"id": pending.number, "result": {}})
    await followed(pending, heard)
    assert [one["params"] for one in heard.messages] == [{"progressToken": "second", "progress": 1}]


async def test_a_broken_session_ends_all_that_is_open() -> None:
    """Once, and what was answered before stays answered."""
    peer = Peer("s", ASKED)
    answered, open_ = begun(peer), begun(peer)
    peer.received({"id": answered.number, "result": {}})
    peer.broken(UpstreamUnavailable("gone"))
    assert await followed(answered) == Reply(result={})
    with pytest.raises(UpstreamUnavailable):
        await followed(open_)


@pytest.mark.parametrize(
    ("level", "than", "more"),
    [("debug", None, True), ("info", "debug", False), ("odd", None, False), ("info", "odd", True)],
)
def test_levels_are_compared(level: str, than: str | None, *, more: bool) -> None:
    """RFC 5424, the other way round."""
    assert more_verbose(level, than) is more


async def test_a_log_message_is_told_to_nobody_where_it_may_be_of_another_callers_call() -> None:
    """On a session that callers share: only a call that is alone can be meant."""
    peer, alone, other = Peer("s", ROUTER), Heard(), Heard()
    logged: Json = {"method": "notifications/message", "params": {"level": "info", "data": "x"}}
    begun(peer, "subscriptions/listen", asks=False)
    first = begun(peer, asks=False, level="debug")
    peer.received(logged)
    second = begun(peer, asks=False, level="debug")
    peer.received(logged)
    for number in (first.number, second.number):
        peer.received({"id": number, "result": {}})
    await followed(first, alone)
    await followed(second, other)
    assert (len(alone.messages), len(other.messages)) == (1, 0)
