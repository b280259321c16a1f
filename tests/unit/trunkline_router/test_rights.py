"""Narrowing never allows more: whatever the globs, layers, contexts and tokens."""

from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from trunkline_router.access.api_keys import KeyRing, caller_of
from trunkline_router.access.contexts import ContextRefused, Contexts, read_wanted
from trunkline_router.access.job_tokens import PURPOSE, JobTokens
from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.catalogue.directory import Listing, merge
from trunkline_router.catalogue.narrowing import narrow
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.live import Live
from trunkline_router.configuration.toolsets import BUILT_IN
from trunkline_router.context import Context, InvalidContext
from trunkline_router.model import Caller, Json, ToolSpec
from trunkline_router.rights import EVERYTHING, Rights
from trunkline_router.view import View
from trunkline_shared.contracts import Policy
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.testing.fake_clock import FakeClock

SNAPSHOTS = Path(__file__).parents[2] / "snapshots"
SERVERS = ("github", "github_ci", "wiki")
TOOLS = ("get", "get_pr", "list", "Write")
TOOLSETS = ("default", "runs", "people")
EVERY = [(server, tool, toolset) for server in SERVERS for tool in TOOLS for toolset in TOOLSETS]

PIECES = st.sampled_from([
    "*",
    "?",
    "[a-g]*",
    "mcp__",
    "github",
    "_ci",
    "__",
    "get",
    "_pr",
    "list",
    "W",
    "wiki",
    "m",
])
GLOBS = st.lists(PIECES, min_size=1, max_size=6).map("".join)
LAYER = st.lists(GLOBS, max_size=4).map(tuple)
NAMED = st.none() | st.frozensets(st.sampled_from(TOOLSETS))
RIGHTS = st.builds(Rights, allow=st.lists(LAYER, max_size=3).map(tuple), deny=LAYER, toolsets=NAMED)
BOUND = st.dictionaries(
    st.sampled_from(["owner", "repo", "pr_number", "issue_number", "branch", "project_id"]),
    st.sampled_from(["acme", "12", "13"]),
)


def allowed(rights: Rights) -> set[tuple[str, str, str]]:
    return {each for each in EVERY if rights.permit(*each)}


@pytest.mark.requirement("gateway.rights")
@given(rights=RIGHTS, globs=LAYER, other=RIGHTS)
def test_a_layer_only_takes_away(rights: Rights, globs: tuple[str, ...], other: Rights) -> None:
    """And what is within two rights is what both allow, whichever comes first."""
    assert allowed(rights.narrowed(globs)) <= allowed(rights)
    assert allowed(rights.within(other)) == allowed(rights) & allowed(other)
    assert allowed(other.within(rights)) == allowed(rights) & allowed(other)
    assert allowed(rights.within(EVERYTHING)) == allowed(rights)


@pytest.mark.requirement("gateway.rights-servers")
@given(rights=RIGHTS)
def test_a_server_that_cannot_be_reached_has_no_permitted_tool(rights: Rights) -> None:
    """Whatever its tools are called: who is not told of a server misses nothing."""
    for server, tool, toolset in EVERY:
        if rights.permit(server, tool, toolset):
            assert rights.reach(server)


def contexts_over(configuration: Configuration) -> tuple[Contexts, JobTokens, KeyRing, FakeClock]:
    signing = SigningKeys.of(SigningSettings.model_validate({"secret": "a-secret-of-a-test"}))
    clock = FakeClock()
    ring = KeyRing(Live(configuration))
    tokens = JobTokens(keys=signing.derived(PURPOSE), base="http://mesh", clock=clock)
    contexts = Contexts(
        tokens=tokens, keys=ring, repositories=RepositoryGuard(), clock=clock, url="http://mesh/mcp"
    )
    return contexts, tokens, ring, clock


@pytest.mark.requirement("gateway.job-tokens")
@given(
    allow=LAYER,
    deny=LAYER,
    toolsets=st.none() | st.lists(st.sampled_from(["default", "runs"])),
    own=BOUND,
    globs=st.lists(GLOBS, min_size=1, max_size=3),
    bound=BOUND,
)
def test_a_token_allows_what_its_key_and_its_globs_do_and_never_more(
    *,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    toolsets: list[str] | None,
    own: dict[str, str],
    globs: list[str],
    bound: dict[str, str],
) -> None:
    """Minted, signed, read, held to its key: tools, bindings and scopes are within both."""
    key: Json = {"id": "bot", "hash": "0" * 64, "allow": allow, "deny": deny, "bind": own}
    try:
        configuration = Configuration.model_validate({"keys": [key | {"toolsets": toolsets}]})
        wanted = read_wanted({"tools": globs, "bind": bound})
    except (ValidationError, ContextRefused):
        return
    contexts, tokens, ring, _ = contexts_over(configuration)
    parent = caller_of(configuration.keys[0])
    try:
        token = str(contexts.minted(parent, wanted)["token"])
    except ContextRefused:
        return
    grant = tokens.read(token)
    assert grant is not None
    shown = Caller(
        subject="bot", key="bot", scopes=grant.scopes, context=grant.context, rights=grant.rights
    )
    held = ring.held_to(shown, grant.mark)
    assert held is not None
    layer = Rights(allow=(tuple(globs),))
    assert allowed(held.rights) == allowed(parent.rights) & allowed(layer)
    assert held.scopes <= parent.scopes
    for name, value in parent.context.bindings:
        assert held.context.get(name) == value


def tool(server: str, name: str, number: int) -> ToolSpec:
    properties: Json = {"owner": {"type": "string"}, "pr_number": {"type": "integer"}}
    return ToolSpec(
        exposed=name,
        name=name,
        server=server,
        definition={"name": name, "inputSchema": {"type": "object", "properties": properties}},
        policy=Policy(
            toolset=TOOLSETS[number % 3], context_needs=("pr_number",) if number % 2 else ()
        ),
        read_only=number % 4 != 0,
        digest="",
    )


WHOLE = merge(
    [
        Listing(
            server=server,
            tools=tuple(tool(server, name, number) for number, name in enumerate(TOOLS)),
            prompts=({"name": f"ask_{server}"},),
            resources=({"uri": f"{server}://1", "name": "one"},),
            templates=({"uriTemplate": f"{server}://{{id}}", "name": "any"},),
        )
        for server in SERVERS
    ],
    ("wiki", "absent"),
    frozenset(),
)


@pytest.mark.requirement("gateway.rights")
@given(rights=RIGHTS, bound=BOUND)
def test_a_view_shows_what_the_rights_permit_of_what_its_context_leaves(
    rights: Rights, bound: dict[str, str]
) -> None:
    """In every list; a name keeps its meaning, and nothing of a server without tools is left."""
    try:
        context = Context.of(bound.items())
    except InvalidContext:
        return
    wide = narrow(WHOLE, View(context=context))
    seen = narrow(WHOLE, View(context=context, rights=rights))
    permitted = {
        name: spec
        for name, spec in wide.tools.items()
        if rights.permit(spec.server, spec.name, spec.policy.toolset)
    }
    assert seen.tools == permitted
    assert [item["name"] for item in seen.items["tools"]] == [
        spec.definition["name"] for spec in permitted.values()
    ]
    assert set(seen.withheld) <= set(wide.withheld)
    servers = {
        spec.server
        for spec in WHOLE.tools.values()
        if rights.permit(spec.server, spec.name, spec.policy.toolset)
    }
    assert {own.server for own in seen.prompts.values()} == servers
    assert {item["name"] for item in seen.items["prompts"]} == {f"ask_{one}" for one in servers}
    assert set(seen.resources.values()) == servers
    assert {template.server for template in seen.templates} == servers
    assert len(seen.items["resourceTemplates"]) == len(servers)
    assert {listing.server for listing in seen.listings} == servers
    assert seen.missing <= WHOLE.missing


@pytest.mark.requirement("gateway.toolsets")
def test_the_toolsets_that_may_be_named_are_those_of_the_tools() -> None:
    """A toolset that is added to a server is added to what keys may name."""
    declared = {
        entry.get("_meta", {}).get("dev.trunkline/policy", {}).get("toolset", "default")
        for file in SNAPSHOTS.glob("*.json")
        for entry in orjson.loads(file.read_bytes())
    }
    assert declared == BUILT_IN


@pytest.mark.requirement("gateway.rights")
@pytest.mark.parametrize("field", ["allow", "deny"])
@pytest.mark.parametrize("glob", ["github_ci__*", "github.*", "MCP__*", "mcp_github__*", ""])
def test_a_glob_that_matches_no_tool_is_refused(field: str, glob: str) -> None:
    """It would silently deny nothing; the message shows how one is written."""
    key: Json = {"id": "bot", "hash": "0" * 64, field: ["*", "mcp__a__b", "*__list", glob]}
    with pytest.raises(ValidationError, match=r"matches no tool: write mcp__SERVER__TOOL"):
        Configuration.model_validate({"keys": [key]})


@pytest.mark.requirement("gateway.toolsets")
def test_a_toolset_that_nobody_has_is_refused_with_the_nearest() -> None:
    """One that a foreign server's policy names may be named."""
    wiki = {"url": "http://wiki.test/mcp", "policy": {"page": {"toolset": "pages"}}}
    key: Json = {"id": "bot", "hash": "0" * 64, "toolsets": ["default", "reviewz"]}
    with pytest.raises(ValidationError, match="toolset 'reviewz' is none; did you mean 'reviews'"):
        Configuration.model_validate({"keys": [key]})
    named = key | {"toolsets": ["pages", "all"]}
    Configuration.model_validate({"keys": [named], "servers": {"wiki": wiki}})
