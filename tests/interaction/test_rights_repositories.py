"""TRUNKLINE_ALLOWED_REPOS stands over every key, context and token."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.interaction import keys
from tests.interaction.github_mesh import github_mesh
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json
from tests.interaction.wire import failure
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.github.allowed import AllowedRepositories
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.testing.github import GitHubStandIn


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router that may touch these only."""
    async with ruled(allowed_repos="Acme/wid*, octo/cat") as made:
        yield made


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.anyio
@pytest.mark.parametrize(
    "arguments",
    [
        {"owner": "acme", "repo": "secret"},
        {"owner": "evil", "repo": "widgets"},
        {"owner": "evil"},
        {"repo": "secret"},
        {"repo": "evil/widgets"},
        {"owner": "octo", "repo": "widgets"},
        {"owner": "acme", "repo": "widgets", "Owner": "evil"},
        {"Repo": "evil/x", "owner": "acme", "repo": "widgets"},
        {"repository": "evil/widgets"},
        {"Repository": "evil/widgets"},
        {"owner": "acme", "repository": "secret"},
        {"repo": "octo/cat/../../evil/secret"},
        {"repository": "acme/widgets/../secret"},
        {"owner": "acme", "repo": "widgets%2F..%2Fsecret"},
    ],
)
async def test_a_call_of_a_repository_outside_is_refused_before_it_is_sent(
    here: Ruled, arguments: Json
) -> None:
    """Whole, in parts, in one, under any spelling; the error says what is allowed."""
    error = failure(await here.call("admin", "list_comments", issue_number=1, **arguments))
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert error["details"] == {"reason": "repository_not_allowed"}
    assert "Acme/wid*" in str(error["hint"])
    assert not here.comment.calls


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.anyio
@pytest.mark.parametrize(
    "arguments",
    [
        {"owner": "ACME", "repo": "Widgets"},
        {"repo": "acme/widgets"},
        {"owner": "octo", "repo": "cat"},
        {"owner": "acme"},
        {"repo": "cat"},
        {},
    ],
)
async def test_a_call_within_goes_on(here: Ruled, arguments: Json) -> None:
    """Without regard to case; what is not named, the server that resolves it checks."""
    reply = await here.call("admin", "list_comments", issue_number=1, **arguments)
    assert reply.result["isError"] is False


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.anyio
@pytest.mark.parametrize(
    "query", ["owner=acme&repo=secret", "owner=evil", "repo=secret", "owner=evil&tools=search"]
)
async def test_a_context_outside_is_refused_at_once(here: Ruled, query: str) -> None:
    """HTTP 403 for anything that is asked under it, lists included."""
    for method in ("tools/list", "server/discover"):
        path = f"/mcp?{query}"
        reply = await keys.ask(here.mesh, keys.key_of("admin"), method, path=path)
        assert reply.status == 403
        assert reply.error["data"] == {"reason": "repository_not_allowed"}


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.anyio
@pytest.mark.parametrize(
    "bind", [{"owner": "acme", "repo": "secret"}, {"owner": "evil"}, {"repo": "secret"}]
)
async def test_no_token_is_minted_for_a_repository_outside(here: Ruled, bind: Json) -> None:
    """403 with the repository and what is allowed."""
    reply = await here.contexts("admin", {"bind": bind})
    assert reply.status == 403
    assert reply.json["key"] == "bind.repo"
    assert "TRUNKLINE_ALLOWED_REPOS allows" in reply.json["error"]
    inside = await here.contexts("admin", {"bind": {"owner": "acme", "repo": "widgets"}})
    assert inside.status == 201


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.anyio
async def test_the_servers_check_what_they_resolve_themselves(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their own default repository is no way around it; nothing is asked of GitHub."""
    async with github_mesh(
        github,
        monkeypatch,
        allowed_repos="octo/*",
        github_repository="acme/widgets",
    ) as here:
        github.requests.clear()
        call: Json = {"name": "list_comments", "arguments": {"issue_number": 1}}
        reply = await keys.ask(here.router, None, "tools/call", call)
        assert failure(reply)["error_code"] == "BLOCKED_BY_POLICY"
        assert not len(github.requests)


@pytest.mark.requirement("gateway.allowed-repos")
@pytest.mark.parametrize("globs", ["acme", "acme/widgets/x", "acme/*,widgets"])
def test_a_glob_that_no_repository_matches_is_refused_at_the_start(
    globs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would silently close the mesh; the message shows how one is written."""
    monkeypatch.setenv("TRUNKLINE_ALLOWED_REPOS", globs)
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_ALLOWED_REPOS=.*write acme/\*"):
        load(RouterSettings)


NAMES = st.text("abC-_.0", min_size=1, max_size=4)


@pytest.mark.requirement("gateway.allowed-repos")
@given(
    globs=st.lists(st.tuples(st.text("abC*?-0", min_size=1, max_size=4), NAMES | st.just("*"))),
    owner=NAMES,
    name=NAMES,
)
def test_a_part_is_admitted_whenever_the_whole_is(
    globs: list[tuple[str, str]], owner: str, name: str
) -> None:
    """Knowing less of a repository never refuses what knowing all of it allows."""
    allowed = AllowedRepositories(tuple("/".join(glob) for glob in globs))
    if allowed.admit(owner, name):
        assert allowed.admit(owner, "")
        assert allowed.admit("", name)
        assert allowed.admit(owner.upper(), name.lower())
