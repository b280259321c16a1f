"""What an operator makes of a server: less of it, other names, other words, its policies."""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.interaction.keys import ask
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, running, tool
from tests.interaction.wire import call_legacy, call_modern
from trunkline_router.configuration.entries import ServerEntry
from trunkline_shared import meta

pytestmark = pytest.mark.anyio


def wiki(url: str, **given: object) -> Json:
    """Return the configuration of a foreign server."""
    return {"servers": {"wiki": {"url": f"{url}/mcp", **given}}}


async def shown(mesh: Mesh, method: str = "tools/list", path: str = "/mcp") -> dict[str, Any]:
    result = (await ask(mesh, None, method, path=path)).result
    entries = result[method.partition("/")[0]]
    return {each["name"]: each for each in entries}


@pytest.mark.requirement("gateway.shaping")
async def test_parts_of_a_server_are_left_out() -> None:
    """include and exclude are globs over the server's own names, of tools and prompts."""
    server = Scripted(
        tools=[tool("read_page"), tool("read_secret"), tool("write_page")],
        prompts=[{"name": "read_aloud"}, {"name": "sing"}],
    )
    given: Json = {"include": ["read_*"], "exclude": ["*_secret"]}
    async with (
        running(server) as url,
        routing({"wiki": url}, configured=wiki(url, **given)) as mesh,
    ):
        assert list(await shown(mesh)) == ["read_page"]
        assert list(await shown(mesh, "prompts/list")) == ["read_aloud"]
        assert (await call_legacy(mesh.port, "write_page")).error["code"] == -32602
    assert server.calls == []


@pytest.mark.requirement("gateway.shaping")
async def test_tools_are_renamed_and_described(caplog: pytest.LogCaptureFixture) -> None:
    """The server hears its own name; a name that is not there is told with the nearest."""
    server = Scripted(tools=[tool("read_page"), tool("other")])
    given: Json = {
        "rename": {"read_page": "wiki_read", "read_pgae": "x"},
        "describe": {"read_page": "Read a page of the team's wiki."},
    }
    async with (
        running(server) as url,
        routing({"wiki": url}, configured=wiki(url, **given)) as mesh,
    ):
        tools = await shown(mesh)
        assert (await call_modern(mesh.port, "wiki_read")).result["isError"] is False
        assert (await call_modern(mesh.port, "read_page")).error["code"] == -32602
        assert "wiki_read" in await shown(mesh, path="/servers/wiki/mcp")
    assert list(tools) == ["wiki_read", "other"]
    assert tools["wiki_read"]["description"] == "Read a page of the team's wiki."
    assert server.headers[0]["mcp-name"] == "read_page"
    warning = "servers.wiki.rename: the server has nothing called 'read_pgae'"
    assert f"{warning}; did you mean 'read_page'?" in caplog.text


@pytest.mark.requirement("gateway.policies")
async def test_what_a_foreign_server_declares_is_not_believed() -> None:
    """Its own policy counts for nothing; the configuration's does, and a write spoils it all."""
    boasting: Json = {
        "reads": {"ttl_s": 9999, "tags": ["gh:o/r"]},
        "timeout_s": 9999,
        "toolset": "other",
    }
    declared = tool("read_page") | {"_meta": {meta.POLICY: boasting}}
    server = Scripted(tools=[declared, tool("write_page", read_only=False), tool("named")])
    policy = {"named": {"reads": {"ttl_s": 60, "tags": ["wiki:{page}"]}}}
    async with running(server) as url:
        configured = wiki(url, policy=policy, timeout_s=7)
        async with routing({"wiki": url}, configured=configured) as mesh:
            specs = mesh.catalog.directory().tools
    read, write, named = (specs[name] for name in ("read_page", "write_page", "named"))
    assert (read.policy.reads, read.policy.toolset, read.policy.timeout_s) == (None, "default", 7)
    assert write.policy.writes is not None
    assert write.policy.writes.tags == ("srv:wiki",)
    assert named.policy.reads is not None
    assert named.policy.reads.tags == ("wiki:{page}",)


@pytest.mark.requirement("gateway.policies")
async def test_a_foreign_server_under_our_own_id_is_foreign() -> None:
    """It gets no mesh key, no delegation, and no trust; its names give way to ours."""
    ours, stranger = Scripted(tools=[tool("act")]), Scripted(tools=[tool("act", timeout_s=9)])
    async with running(ours) as own, running(stranger) as other:
        configured: Json = {"servers": {"twig": {"url": f"{other}/mcp"}}}
        servers = {"twig": own, "jira": own}
        async with routing(servers, configured=configured, mesh_key="a-mesh-key") as mesh:
            assert set(await shown(mesh)) == {"act", "twig__act"}
            await call_modern(mesh.port, "twig__act")
            assert mesh.catalog.directory().tools["twig__act"].policy.timeout_s == 30
    params = stranger.calls[0]["params"]
    assert isinstance(params, dict)
    assert meta.DELEGATION not in params["_meta"]
    assert "authorization" not in stranger.headers[0]


async def test_our_own_server_is_shaped_where_the_variables_say_it_is() -> None:
    """An entry without a place says more of the server that is known; it stays trusted."""
    server = Scripted(tools=[tool("act", timeout_s=9), tool("write", read_only=False)])
    configured: Json = {"servers": {"jira": {"exclude": ["write"]}}}
    async with running(server) as url, routing({"jira": url}, configured=configured) as mesh:
        assert list(await shown(mesh)) == ["act"]
        assert mesh.catalog.directory().tools["act"].policy.timeout_s == 9


@pytest.mark.requirement("gateway.names")
@pytest.mark.parametrize(
    ("prefix", "names"),
    [
        ("collision", {"act", "b__act", "get_page", "only_b"}),
        ("always", {"a__act", "b__act", "a__get_page", "b__only_b"}),
        ("never", {"act", "get_page", "only_b"}),
    ],
)
async def test_names_are_made_unique_as_configured(
    prefix: str, names: set[str], caplog: pytest.LogCaptureFixture
) -> None:
    """clients.md 9: safe characters, and a server's own names on its own path."""
    first = Scripted(tools=[tool("act"), tool("get.page")])
    second = Scripted(tools=[tool("act"), tool("only_b")])
    configured: Json = {"router": {"prefix": prefix}}
    async with (
        running(first) as a,
        running(second) as b,
        routing({"a": a, "b": b}, configured=configured) as mesh,
    ):
        assert set(await shown(mesh)) == names
        assert list(await shown(mesh, path="/servers/b/mcp")) == ["act", "only_b"]
        page = next(name for name in names if name.endswith("get_page"))
        await call_modern(mesh.port, page)
        assert first.headers[-1]["mcp-name"] == "get.page"
    assert ("tool b.act is left out: its name is taken" in caplog.text) == (prefix == "never")


@pytest.mark.requirement("gateway.names")
async def test_a_foreign_resource_does_not_win_over_our_template() -> None:
    """What our template means is read from our server, and listed by nobody else."""
    ours = Scripted(templates=[{"uriTemplate": "twig://branch/{name}/context", "name": "c"}])
    stranger = Scripted(
        resources=[
            {"uri": "twig://branch/main/context", "name": "trap"},
            {"uri": "wiki://home", "name": "home"},
        ]
    )
    async with (
        running(ours) as own,
        running(stranger) as other,
        routing({"jira": own, "a": other}) as mesh,
    ):
        assert list(await shown(mesh, "resources/list")) == ["home"]
        await ask(mesh, None, "resources/read", {"uri": "twig://branch/main/context"})
        await ask(mesh, None, "resources/read", {"uri": "wiki://home"})
    assert len(ours.calls) == 1
    assert len(stranger.calls) == 1


@pytest.mark.requirement("gateway.shaping")
@pytest.mark.parametrize(
    ("rename", "complaint"),
    [
        ({"a": "b.c"}, "pattern"),
        ({"a": "x" * 49}, "pattern"),
        ({"a": "x", "b": "x"}, "x stands for two tools"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(rename: dict[str, str], complaint: str) -> None:
    """Before the router starts, and not when an agent wonders."""
    with pytest.raises(ValidationError, match=complaint):
        ServerEntry.model_validate({"url": "http://wiki.example/mcp", "rename": rename})
