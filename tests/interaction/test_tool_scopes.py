"""A tool that names scopes is there for those who have them, and for nobody else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import orjson
import pytest

from tests.interaction.contexts import declared
from tests.interaction.delegating import SECRET, delegation_of, tokens_of
from tests.interaction.keys import ask, ask_legacy, entry, key_of
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import Reply, legacy, post

pytestmark = pytest.mark.anyio

ADMIN = entry("chief", scopes=["tools", "contexts", "admin"])
PLAIN = entry("plain")
FINDER = entry("finder", tools="search")
EVERYTHING = {"look", "reset", "read_page", "wipe"}


@dataclass(frozen=True, kw_only=True)
class Scoped:
    """A router before a server of the mesh's own and a foreign one, each with an admin's tool."""

    mesh: Mesh
    own: Scripted
    foreign: Scripted

    async def names(self, key: str, path: str = "/mcp") -> set[str]:
        """Return the tools that a key is shown, which are the same in both eras."""
        new = await ask(self.mesh, key_of(key), path=path)
        old = await ask_legacy(self.mesh, key_of(key), path=path)
        told = [{each["name"] for each in one.result["tools"]} for one in (new, old)]
        assert told[0] == told[1]
        return told[0]

    async def call(self, key: str, name: str, /, path: str = "/mcp", **arguments: object) -> Reply:
        params = {"name": name, "arguments": arguments}
        return await ask(self.mesh, key_of(key), "tools/call", params, path=path)


@pytest.fixture
async def here() -> AsyncIterator[Scoped]:
    """A router that knows these keys."""
    async with scoped() as made:
        yield made


@asynccontextmanager
async def scoped() -> AsyncIterator[Scoped]:
    needs = {"scopes": ["admin"]}
    own = Scripted(
        tools=[declared("look", {}), declared("reset", {}, read_only=False, policy=needs)]
    )
    foreign = Scripted(tools=[tool("read_page"), tool("wipe", read_only=False)])
    async with running(own) as one, running(foreign) as two:
        servers = {"wiki": {"url": f"{two}/mcp", "policy": {"wipe": needs}}}
        configured = {"keys": [ADMIN, PLAIN, FINDER], "servers": servers}
        async with routing({"bridge": one}, configured=configured, secret=SECRET) as mesh:
            yield Scoped(mesh=mesh, own=own, foreign=foreign)


@pytest.mark.requirement("bridge.tool-scopes")
async def test_a_list_holds_what_the_callers_scopes_reach(here: Scoped) -> None:
    """In both eras, of the whole mesh and of one server, whoever declared the scopes."""
    assert await here.names("chief") == EVERYTHING
    assert await here.names("plain") == {"look", "read_page"}
    assert await here.names("chief", "/servers/bridge/mcp") == {"look", "reset"}
    assert await here.names("plain", "/servers/bridge/mcp") == {"look"}
    assert await here.names("plain", "/servers/wiki/mcp") == {"read_page"}


@pytest.mark.requirement("bridge.tool-scopes")
@pytest.mark.parametrize("path", ["/mcp", "/servers/bridge/mcp"])
async def test_a_tool_beyond_the_callers_scopes_is_unknown(here: Scoped, path: str) -> None:
    """By its name like any other, in both eras; nothing is sent. With the scope it is called."""
    refused = await here.call("plain", "reset", path=path)
    assert (refused.status, refused.error["code"]) == (400, -32602)
    assert refused.error["message"].startswith("Unknown tool: 'reset'.")
    headers = {"Authorization": f"Bearer {key_of('plain')}", "Content-Type": "application/json"}
    body = legacy("tools/call", {"name": "reset", "arguments": {}})
    assert (await post(here.mesh.port, body, headers, path)).error["code"] == -32602
    assert not here.own.calls
    assert (await here.call("chief", "reset", path=path)).result["isError"] is False


@pytest.mark.requirement("bridge.tool-scopes")
async def test_no_search_finds_it(here: Scoped) -> None:
    """And no use of what a search would find calls it."""
    reply = await here.call("finder", "search_tools", query="reset wipe look")
    found = orjson.loads(reply.result["content"][0]["text"])["tools"]
    assert {each["name"] for each in found} <= {"look", "read_page"}
    used = await here.call("finder", "use_tool", name="reset", arguments={})
    assert used.error["code"] == -32602
    assert not here.own.calls


@pytest.mark.requirement("bridge.tool-scopes")
async def test_only_the_call_of_such_a_tool_is_delegated_its_scopes(here: Scoped) -> None:
    """Others of the same server get none that outlasts the call, and foreign servers no token."""
    granted = []
    for name in ("reset", "look"):
        await here.call("chief", name)
        params = here.own.calls[-1]["params"]
        assert isinstance(params, dict)
        grant = tokens_of(here.mesh).read(delegation_of(params)["token"])
        assert grant is not None
        granted.append(grant.scopes)
    assert granted == [{"tools", "admin"}, {"tools"}]
    await here.call("chief", "wipe")
    params = here.foreign.calls[-1]["params"]
    assert isinstance(params, dict)
    assert delegation_of(params) is None


async def test_whoever_needs_no_key_has_every_tool() -> None:
    """The owner of a router on a laptop is its admin."""
    needs = {"scopes": ["admin"]}
    own = Scripted(tools=[declared("reset", {}, policy=needs)])
    async with running(own) as url, routing({"bridge": url}) as mesh:
        listed = await ask(mesh, None)
    assert [each["name"] for each in listed.result["tools"]] == ["reset"]
