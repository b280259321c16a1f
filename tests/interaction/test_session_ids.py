"""Sessions by their ids: served by whoever knows the secret, and by nobody else."""

import tracemalloc
from collections.abc import AsyncIterator

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.interaction.asking_server import Asking, read
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.legacy_wire import LegacyClient, legacy_client
from tests.interaction.mesh import Mesh, routing
from tests.interaction.replicas import SECRET, replicas
from tests.interaction.restarting import restartable
from tests.interaction.upstreams import Scripted, running
from tests.redis_process import running_redis
from trunkline_router.sessions.session import LIFE_S, Session
from trunkline_router.sessions.session_ids import SessionIds
from trunkline_router.wire.refusal import Refused
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.opening import open_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

VERSIONS = ["2025-03-26", "2025-06-18", "2025-11-25"]
ALL = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {"listChanged": True}}


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router with a server behind it."""
    async with running(Asking().server) as url, routing({"a": url}) as mesh:
        yield mesh


async def is_gone(client: LegacyClient) -> bool:
    """Say whether the session is answered by 404, with a JSON-RPC error that has the id."""
    async with client.asking("ping", id="p") as answered:
        if answered.status == 200:
            return False
        body = await answered.json()
        assert (answered.status, body["id"], body["error"]["code"]) == (404, "p", -32600)
        return True


@pytest.mark.requirement("gateway.sessions")
@pytest.mark.parametrize("version", VERSIONS)
async def test_initialize_opens_a_session(mesh: Mesh, version: str) -> None:
    """Its id is short, fit for a header, and good for all that a session is for."""
    async with legacy_client(mesh.mcp) as client:
        result = await client.initialize(ALL, version)
        assert result["protocolVersion"] == version
        assert result["capabilities"]["logging"] == {}
        assert result["capabilities"]["tools"] == {"listChanged": True}
        assert result["capabilities"]["resources"] == {"listChanged": True, "subscribe": True}
        assert client.session is not None
        assert client.session.replace("-", "").replace("_", "").isalnum()
        assert len(client.session) < 260
        assert await client.ask("ping") == {"jsonrpc": "2.0", "id": 2, "result": {}}
        assert read(await client.call("say", n=1)) == {"n": 1}


@pytest.mark.requirement("gateway.sessions-anywhere")
async def test_replicas_serve_one_session_in_turn() -> None:
    """What one has opened the other knows, and when the other ends it, it is gone for both."""
    async with (
        running(Asking().server) as url,
        replicas({"a": url}) as (one, other),
        legacy_client(one.mcp) as client,
    ):
        await client.initialize()
        there = client.elsewhere(other.mcp)
        for turn in range(4):
            assert read(await (client, there)[turn % 2].call("say", n=turn)) == {"n": turn}
        assert await there.delete() == 204
        assert await is_gone(client)
        assert await is_gone(there)


@pytest.mark.requirement("gateway.sessions-anywhere")
async def test_a_restarted_router_knows_its_sessions() -> None:
    """Gemini, Cline and Continue never recover from a 404 (clients.md 4)."""
    async with (
        running(Asking().server) as url,
        restartable({"a": url}) as router,
        legacy_client(f"{router.url}/mcp") as client,
    ):
        await client.initialize()
        await router.restart()
        assert read(await client.call("say", n=1)) == {"n": 1}


@pytest.mark.requirement("gateway.sessions-forged")
@pytest.mark.parametrize(
    "session",
    ["", "x", "0123456789abcdef", "A" * 100, "B" * 6000, "%00", "ü".encode().decode("latin-1")],
)
async def test_what_is_no_session_gets_404(mesh: Mesh, session: str) -> None:
    """404 makes clients open a new one; 400 would not (clients.md 4)."""
    async with legacy_client(mesh.mcp) as client:
        client.session = session
        assert await is_gone(client)
        assert await client.notify("notifications/initialized") == 404
        assert await client.delete() == 404
        async with client.getting() as stream:
            assert stream.status == 404


@pytest.mark.requirement("gateway.sessions-forged")
async def test_a_session_of_another_mesh_is_none(mesh: Mesh) -> None:
    """Its secret is another one."""
    async with (
        running(Scripted()) as url,
        routing({"a": url}, secret=SECRET) as other,
        legacy_client(other.mcp) as client,
    ):
        await client.initialize()
        assert await is_gone(client.elsewhere(mesh.mcp))


async def test_a_session_is_for_its_own_path(mesh: Mesh) -> None:
    """What was opened on one server's endpoint is not known on the shared one."""
    async with legacy_client(f"{mesh.url}/servers/a/mcp") as client:
        await client.initialize()
        assert read(await client.call("say", n=1)) == {"n": 1}
        assert await is_gone(client.elsewhere(mesh.mcp))


@pytest.mark.requirement("gateway.sessions-forged")
async def test_a_session_is_for_its_own_caller() -> None:
    """Whoever shows another key does not learn that there is such a session."""
    keys = [entry("alice", scopes=["tools"]), entry("bob", scopes=["tools"])]
    alice, bob = bearing(key_of("alice")), bearing(key_of("bob"))
    async with (
        running(Scripted()) as url,
        routing({"a": url}, configured={"keys": keys}) as mesh,
        legacy_client(mesh.mcp, **alice) as client,
    ):
        await client.initialize()
        assert not await is_gone(client)
        client.headers = bob
        assert await is_gone(client)
        assert await client.delete() == 404
        client.headers = {}
        async with client.asking("ping") as answered:
            assert answered.status == 401
        client.headers = alice
        assert not await is_gone(client)


async def test_delete_ends_a_session(mesh: Mesh) -> None:
    """From then on it is not known, also to a second DELETE; others go on."""
    async with legacy_client(mesh.mcp) as client, legacy_client(mesh.mcp) as bystander:
        await client.initialize()
        await bystander.initialize()
        assert await client.delete() == 204
        assert await is_gone(client)
        assert await client.delete() == 404
        assert not await is_gone(bystander)


async def test_an_ended_session_can_be_followed_by_a_new_one(mesh: Mesh) -> None:
    """A re-initialize with the stale id, and opencode's version header, opens another session."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        ended = client.session
        await client.delete()
        client.headers = {"MCP-Protocol-Version": "2025-11-25"}
        await client.initialize()
        assert client.session != ended
        assert not await is_gone(client)


async def test_a_bad_version_is_refused_in_a_session(mesh: Mesh) -> None:
    """400, with what is supported."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        client.headers = {"MCP-Protocol-Version": "1999-01-01"}
        async with client.asking("ping") as answered:
            assert answered.status == 400


async def test_real_headers_vary_in_a_session(mesh: Mesh) -> None:
    """rmcp's Accept order, mcp-remote's Mcp-Method, goose's progressToken (clients.md 3)."""
    async with legacy_client(mesh.mcp) as client:
        await client.initialize()
        client.headers = {
            "Accept": "text/event-stream, application/json",
            "Mcp-Method": "something/else",
            "Mcp-Name": "other",
        }
        listed = await client.ask("tools/list", {"_meta": {"progressToken": 3}})
        assert len(listed["result"]["tools"]) == 5


@pytest.mark.requirement("gateway.sessions-free")
async def test_sessions_that_are_never_closed_leave_nothing() -> None:
    """Clients open one for each call, and leave it (clients.md 4)."""
    asking = Asking()
    server = asking.server
    async with (
        running(server) as url,
        # Traces are kept up to a number, which is reached before the first look.
        routing({"a": url}, configured={"router": {"traces": {"kept": 10}}}) as mesh,
        legacy_client(mesh.mcp) as client,
    ):

        async def visits(count: int) -> int:
            for _ in range(count):
                client.session = None
                await client.initialize(ALL)
                await client.call("say", n=1)
                for noted in (mesh.spans, asking.metas, server.calls, server.headers):
                    noted.clear()
            return tracemalloc.get_traced_memory()[0]

        await visits(20)
        tracemalloc.start()
        try:
            before = await visits(20)
            grown = await visits(100) - before
        finally:
            tracemalloc.stop()
    # A session that stays costs two kilobytes and more.
    assert grown < 120 * 1024


KEYS = SigningKeys((b"k" * 32,))
IDS = SessionIds(keys=KEYS, clock=FakeClock())


@given(text=st.text(max_size=200) | st.binary(max_size=60).map(KEYS.sealed))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_hostile_ids_are_refused(text: str) -> None:
    """Whatever it is, signed even by our own key: 404, and nothing worse."""
    with pytest.raises(Refused) as refused:
        IDS.read(text, None)
    assert refused.value.status == 404


def test_an_id_says_all_of_its_session_for_seven_days() -> None:
    """Then it is over; so is one from the future."""
    clock = FakeClock()
    ids = SessionIds(keys=KEYS, clock=clock)
    session = Session(
        nonce="n",
        owner="o",
        issued=int(clock.now()),
        version="2025-06-18",
        capabilities={"roots": {}},
        client={"name": "c", "version": "1"},
        scope="a",
    )
    text = ids.minted(session)
    clock.advance(LIFE_S - 2)
    assert ids.read(text, "a") == session
    clock.advance(3)
    with pytest.raises(Refused):
        ids.read(text, "a")
    with pytest.raises(Refused):
        SessionIds(keys=KEYS, clock=FakeClock()).read(
            ids.minted(Session(nonce="n", owner="o", issued=int(clock.now() + 1000))), None
        )


@pytest.mark.parametrize(
    "params",
    [
        {"capabilities": {"experimental": {"deep": "["}}},
        {"capabilities": {"experimental": {"big": "x" * 5000}}},
        {"capabilities": 7, "clientInfo": [], "protocolVersion": []},
        {"capabilities": {"elicitation": 1, "sampling": [], "roots": None}},
        {"clientInfo": {"name": "n" * 5000, "version": {}, "title": "\U0001f600" * 500}},
    ],
)
async def test_odd_openings_are_served(mesh: Mesh, params: dict[str, object]) -> None:
    """What cannot be made use of is left out, and the id stays short enough for a header."""
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    deep = body.replace(b'"["', b"[" * 400 + b"]" * 400)
    async with legacy_client(mesh.mcp) as client:
        async with client.http.post(mesh.mcp, data=deep) as answered:
            assert answered.status == 200
            client.session = answered.headers["Mcp-Session-Id"]
        assert len(client.session) < 4000
        assert read(await client.call("say", n=1)) == {"n": 1}


@pytest.mark.requirement("gateway.sessions-anywhere")
async def test_a_session_outlives_the_store() -> None:
    """Without Redis calls go on; what would have to be remembered is refused."""
    with running_redis() as redis:
        async with (
            running(Asking().server) as url,
            open_store(redis.settings) as store,
            routing({"a": url}, store=store, secret=SECRET) as mesh,
            legacy_client(mesh.mcp) as client,
        ):
            await client.initialize()
            redis.kill()
            assert read(await client.call("say", n=1)) == {"n": 1}
            refused = await client.ask("logging/setLevel", {"level": "info"})
            assert refused["error"]["code"] == -32603
            assert await client.notify("notifications/cancelled", {"requestId": 77}) == 202
            assert await client.respond({"id": "tl-abc-1"}, {}) == 503
            assert await client.delete() == 204
