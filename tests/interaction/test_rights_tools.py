"""What a key may not call is not there for it: in no list, by no name, in no hint."""

from collections.abc import AsyncIterator

import pytest

from tests.interaction import keys
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json

pytestmark = pytest.mark.anyio

COMMENT = {"update_comment", "create_comment", "list_comments", "create_label", "search"}
CI = {"get_ci", "rerun", "get_runs"}
WIKI = {"wiki__search", "Read_page"}
ONLY_CI = keys.entry("only-ci", allow=["mcp__github_ci__*"])
READER = keys.entry(
    "reader", allow=["mcp__github_c*__get_*", "mcp__*__list_*", "mcp__wiki__search"]
)
NO_WRITES = keys.entry("no-writes", deny=["mcp__*__create_*", "mcp__github_comment__update_*"])
CASE = keys.entry("case", allow=["mcp__wiki__read_*"])
DEFAULTS = keys.entry("defaults", toolsets=["default"])
NOBODY = keys.entry("nobody", allow=[])


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router that knows these keys."""
    async with ruled(ONLY_CI, READER, NO_WRITES, CASE, DEFAULTS, NOBODY) as made:
        yield made


@pytest.mark.requirement("gateway.rights")
@pytest.mark.parametrize(
    ("key", "there"),
    [
        ("admin", COMMENT | CI | WIKI),
        ("only-ci", CI),
        ("reader", {"get_ci", "get_runs", "list_comments", "wiki__search"}),
        ("no-writes", {"list_comments", "search"} | CI | WIKI),
        ("case", set()),
        ("defaults", COMMENT | WIKI | (CI - {"get_runs"})),
        ("nobody", set()),
    ],
)
async def test_a_list_holds_what_the_key_may_call(here: Ruled, key: str, there: set[str]) -> None:
    """Globs tell small letters from capitals and mean the server's own name, however exposed."""
    assert await here.names(key) == there
    if there & CI:
        assert await here.names(key, "/servers/github_ci/mcp") == there & CI


@pytest.mark.requirement("gateway.rights")
async def test_what_is_not_permitted_is_unknown_like_any_other_name(here: Ruled) -> None:
    """The same code, status and words; the nearest name is one that the key may call."""
    forbidden = await here.call("only-ci", "create_comment", body="x")
    invented = await here.call("only-ci", "create_commenx", body="x")
    assert forbidden.status == invented.status == 400
    assert forbidden.error["code"] == invented.error["code"] == -32602
    assert forbidden.error["message"] == "Unknown tool: 'create_comment'."
    assert forbidden.error.get("data") == invented.error.get("data")
    near = await here.call("only-ci", "get_cj")
    assert "Did you mean 'get_ci'?" in near.error["message"]
    assert not here.comment.calls
    assert (await here.call("only-ci", "get_ci")).result["isError"] is False


@pytest.mark.requirement("gateway.rights")
async def test_a_context_hides_no_more_words_than_the_rights_allow(here: Ruled) -> None:
    """What a context leaves out says why, to those only who may call it elsewhere."""
    path = "/mcp?owner=acme&repo=widgets"
    call: Json = {"name": "get_ci", "arguments": {}}
    may = await keys.ask(here.mesh, keys.key_of("only-ci"), "tools/call", call, path=path)
    assert "is not offered in this context" in may.error["message"]
    may_not = await keys.ask(here.mesh, keys.key_of("case"), "tools/call", call, path=path)
    assert may_not.error["message"] == "Unknown tool: 'get_ci'."


@pytest.mark.requirement("gateway.rights-servers")
async def test_a_server_without_a_permitted_tool_is_gone_as_a_whole(here: Ruled) -> None:
    """Its prompts, resources, templates and introduction; the rest is as it was."""
    told = await here.ask("only-ci", "server/discover")
    assert "github_ci" in told.result["instructions"]
    assert "github_comment" not in told.result["instructions"]
    assert "wiki" not in told.result["instructions"]
    assert "resources" not in told.result["capabilities"]
    lists = {"prompts": ["explain"], "resources": [], "resourceTemplates": []}
    for key, names in lists.items():
        method = "resources/templates/list" if key == "resourceTemplates" else f"{key}/list"
        listed = await here.ask("only-ci", method)
        assert [each["name"] for each in listed.result[key]] == names
        assert listed.result["cacheScope"] == "private"
    told_of = [
        await keys.ask(here.mesh, keys.key_of("only-ci"), path=f"/servers/{server}/mcp")
        for server in ("wiki", "wikj")
    ]
    assert [reply.status for reply in told_of] == [404, 404]
    assert [reply.json for reply in told_of] == [
        {"error": f"There is no server {name!r}. Servers: github_ci.", "servers": ["github_ci"]}
        for name in ("wiki", "wikj")
    ]


@pytest.mark.requirement("gateway.rights-servers")
@pytest.mark.parametrize(
    ("method", "params", "said"),
    [
        ("prompts/get", {"name": "ask"}, "Unknown prompt: 'ask'."),
        ("resources/read", {"uri": "note://1"}, "Unknown resource: 'note://1'."),
        ("resources/read", {"uri": "note://7/text"}, "Unknown resource: 'note://7/text'."),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "ask"}, "argument": {"name": "a", "value": ""}},
            "Unknown prompt: 'ask'.",
        ),
    ],
)
async def test_nothing_of_such_a_server_can_be_asked_for(
    here: Ruled, method: str, params: Json, said: str
) -> None:
    """By its name it is unknown, and its server hears nothing."""
    refused = await here.ask("only-ci", method, **params)
    assert refused.error["code"] == -32602
    assert refused.error["message"].startswith(said)
    assert not here.comment.calls
    assert "error" not in (await here.ask("reader", method, **params)).json


@pytest.mark.requirement("gateway.toolsets")
async def test_a_tool_of_a_toolset_that_the_key_has_not_is_not_there(here: Ruled) -> None:
    """Not by its name either."""
    assert (await here.call("defaults", "get_runs")).error["code"] == -32602
    assert (await here.call("admin", "get_runs")).result["isError"] is False
