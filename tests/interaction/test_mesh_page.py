"""`GET /api/mesh`: each caller's own part of the mesh, and whether calls reach it."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.interaction import keys
from tests.interaction.contexts import declared
from tests.interaction.delegating import SECRET, granted, tokens_of
from tests.interaction.guarding import Mood, breaker, calls, sick
from tests.interaction.mesh import Mesh, routing
from tests.interaction.ruled import ruled
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import get, head, send
from tests.standing_clock import StandingClock

pytestmark = pytest.mark.anyio

PAGE = "/api/mesh"
ONLY_CI = keys.entry("only-ci", allow=["mcp__github_ci__*"])
NOBODY = keys.entry("nobody", allow=[])
WATCHER = keys.entry("watcher", scopes=["observe"])


async def servers(mesh: Mesh, bearer: str | None = None) -> Mapping[str, Any]:
    """Return what the page tells the holder of a key or a token."""
    reply = await get(mesh.port, PAGE, keys.bearing(bearer))
    assert reply.status == 200
    assert set(reply.json) == {"servers"}
    found: Mapping[str, Any] = reply.json["servers"]
    return found


@pytest.mark.requirement("bridge.mesh-page")
async def test_it_tells_of_each_server_in_the_order_of_their_ids() -> None:
    """What it says of itself, whether calls reach it, how many tools, and its breaker."""
    foreign = Scripted(tools=[tool("one"), tool("two")])
    async with (
        running(Scripted()) as own,
        running(foreign) as other,
        routing({"wiki": other, "jira": own}) as mesh,
    ):
        told = await servers(mesh)
        assert list(told) == ["jira", "wiki"]
        assert told["wiki"] == {
            "description": "Scripted. For tests.",
            "available": True,
            "admits": True,
            "foreign": True,
            "tools": 2,
            "breaker": await breaker(mesh, "wiki"),
        }
        assert told["jira"]["foreign"] is False


@pytest.mark.requirement("bridge.mesh-page")
async def test_nobody_hears_of_servers_that_they_may_not_use() -> None:
    """Each key's own: by its rights, with the tools that it sees; and the scope is `tools`."""
    async with ruled(ONLY_CI, NOBODY, WATCHER) as here:
        assert set(await servers(here.mesh, keys.key_of("admin"))) == {
            "github_ci", "github_comment", "wiki",
        }  # fmt: skip
        narrow = await servers(here.mesh, keys.key_of("only-ci"))
        assert {server: one["tools"] for server, one in narrow.items()} == {"github_ci": 3}
        assert await servers(here.mesh, keys.key_of("nobody")) == {}
        token = await here.token(tools=["mcp__github_comment__list_*"])
        few = await servers(here.mesh, token)
        assert {server: one["tools"] for server, one in few.items()} == {"github_comment": 1}
        assert (await get(here.mesh.port, PAGE)).status == 401
        watching = keys.bearing(keys.key_of("watcher"))
        assert (await get(here.mesh.port, PAGE, watching)).status == 403


@pytest.mark.requirement("bridge.mesh-page")
async def test_a_context_that_empties_a_server_hides_it() -> None:
    """As the introduction does; a delegated token is a caller like any other."""
    needy = declared("get_run", {}, policy={"context_needs": ["pr_number"]})
    async with (
        running(Scripted(tools=[needy])) as one,
        running(Scripted()) as two,
        routing({"github_ci": one, "jira": two}, secret=SECRET) as mesh,
    ):
        tokens = tokens_of(mesh)
        free = tokens.minted(granted())
        assert set(await servers(mesh, free)) == {"github_ci", "jira"}
        bound = tokens.minted(granted(owner="acme"))
        assert set(await servers(mesh, bound)) == {"jira"}


@pytest.mark.requirement("bridge.mesh-page")
async def test_a_breaker_is_told_as_it_stands_at_this_moment() -> None:
    """Open: nothing is let through; after the pause one call may, and none while that one runs."""
    mood, clock = Mood(error=sick()), StandingClock()
    async with running(Scripted(answer=mood)) as url, routing({"a": url}, clock=clock) as mesh:
        await calls(mesh, "act", 3)
        shut = (await servers(mesh))["a"]
        assert (shut["available"], shut["admits"]) == (False, False)
        assert (shut["breaker"]["state"], shut["breaker"]["consecutiveFailures"]) == ("open", 3)
        clock.advance(331)
        assert (await servers(mesh))["a"]["admits"] is True
        mood.error = None
        assert await calls(mesh, "act", 1) == ["ok"]
        well = (await servers(mesh))["a"]
    assert (well["available"], well["admits"], well["breaker"]["state"]) == (True, True, "closed")


async def test_a_server_that_was_never_there_is_told_too() -> None:
    """Without a word of its own, and not available."""
    async with routing({"gone": "http://127.0.0.1:1"}, settled=False) as mesh:
        told = (await servers(mesh))["gone"]
    assert (told["description"], told["available"], told["tools"]) == ("", False, 0)


async def test_it_is_read_only() -> None:
    """With the methods that it takes."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        raw = head(b"", {}, port=mesh.port, path=PAGE, verb="POST")
        reply = await send(mesh.port, raw)
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")
