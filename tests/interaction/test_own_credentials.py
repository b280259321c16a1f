"""A key's own credential: used for its calls, told to its vendor's servers alone, never shown."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.interaction import keys
from tests.interaction.delegating import SECRET
from tests.interaction.github_mesh import github_mesh
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.upstreams import Json
from tests.interaction.wire import META, failure
from trunkline_router.access.key_credentials import must_have_credentials
from trunkline_router.configuration.entries import Configuration
from trunkline_shared import meta
from trunkline_shared.settings import ConfigurationError
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

VARIABLE = "ALICE_GITHUB_TOKEN"
OWN = "alices-own-secret-of-github"
ALICE = keys.entry(
    "alice",
    scopes=["tools", "contexts"],
    credentials={"github": {"from_env": VARIABLE}, "jira": "alice@acme.test:jira-secret"},
)


@asynccontextmanager
async def alone(environment: pytest.MonkeyPatch) -> AsyncIterator[Ruled]:
    """Serve with the variable set."""
    environment.setenv(VARIABLE, OWN)
    async with ruled(ALICE) as made:
        yield made


def told(call: Json) -> Any:
    """Return the credentials that a server was told with a call."""
    params = call["params"]
    assert isinstance(params, dict)
    return params["_meta"].get(meta.CREDENTIALS)


@pytest.mark.requirement("gateway.credentials")
async def test_only_servers_of_the_vendor_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a foreign one, nothing of another vendor's, and nothing with another key's calls."""
    async with alone(monkeypatch) as here:
        await here.call("alice", "list_comments", issue_number=1)
        assert told(here.comment.calls[-1]) == {"github": OWN}
        await here.ask("alice", "prompts/get", name="ask")
        assert told(here.comment.calls[-1]) == {"github": OWN}
        await here.call("alice", "Read_page")
        assert told(here.wiki.calls[-1]) is None
        await here.call("admin", "list_comments", issue_number=1)
        assert told(here.comment.calls[-1]) is None


@pytest.mark.requirement("gateway.credentials")
async def test_a_job_token_uses_the_credential_of_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what a client sends under that name is dropped."""
    async with alone(monkeypatch) as here:
        token = await here.token("alice", bind={"owner": "acme", "repo": "widgets"})
        await here.call(token, "list_comments", issue_number=1)
        assert told(here.comment.calls[-1]) == {"github": OWN}
        mine = META | {meta.CREDENTIALS: {"github": "a-clients-own"}}
        call: Json = {"name": "list_comments", "arguments": {"issue_number": 1}, "_meta": mine}
        assert (await here.ask("admin", "tools/call", **call)).result["isError"] is False
        assert told(here.comment.calls[-1]) is None


@pytest.mark.requirement("gateway.credentials")
async def test_the_secret_is_in_no_span_no_log_and_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Also where its server has gone in the middle."""
    caplog.set_level("DEBUG")
    async with alone(monkeypatch) as here:
        await here.call("alice", "list_comments", issue_number=1)
        reply = await here.call("alice", "list_comments", issue_number="x" * 100)
        assert OWN.encode() not in reply.body
        spans = [f"{span.name} {span.attributes}" for span in here.mesh.spans]
    assert OWN not in caplog.text
    assert OWN not in "".join(spans)


@pytest.mark.requirement("gateway.credentials")
async def test_a_secret_in_a_file_is_read_again_and_a_missing_one_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The mesh's own never stands in for it; other vendors' servers go on."""
    file = tmp_path / "token"
    file.write_text("first\n")
    monkeypatch.setenv(f"{VARIABLE}_FILE", str(file))
    async with ruled(ALICE) as here:
        await here.call("alice", "list_comments", issue_number=1)
        assert told(here.comment.calls[-1]) == {"github": "first"}
        file.write_text("second, longer\n")
        await here.call("alice", "list_comments", issue_number=1)
        assert told(here.comment.calls[-1]) == {"github": "second, longer"}
        file.unlink()
        asked = len(here.comment.calls)
        error = failure(await here.call("alice", "list_comments", issue_number=1))
        assert error["error_code"] == "CREDENTIALS_MISSING"
        assert VARIABLE in str(error["message"])
        assert len(here.comment.calls) == asked
        assert (await here.call("alice", "Read_page")).result["isError"] is False


@pytest.mark.requirement("gateway.credentials")
async def test_a_variable_that_is_not_set_is_refused_at_the_start() -> None:
    """The message names the key, the vendor and the variable."""
    configuration = Configuration.model_validate({"keys": [ALICE]})
    with pytest.raises(ConfigurationError, match=r"keys\.alice\.credentials\.github.*ALICE_GITHUB"):
        must_have_credentials(configuration)


@pytest.mark.requirement("gateway.credentials")
async def test_github_is_asked_in_the_name_of_whose_key_it_is(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """gateways.md 3.G 28: comments are hers; what she may not, the mesh's token does not do."""
    alice, bob = (github.state.add_user(name) for name in ("alice", "bob"))
    monkeypatch.setenv(VARIABLE, github.state.add_token(alice, "alice").secret)
    monkeypatch.setenv("BOBS_TOKEN", github.state.add_token(bob, "bob").secret)
    bobs = {"github": {"from_env": "BOBS_TOKEN"}}
    entries = [
        keys.entry("alice", credentials=ALICE["credentials"]),
        keys.entry("bob", credentials=bobs),
        keys.entry("mesh"),
    ]
    async with github_mesh(
        github, monkeypatch, configured={"keys": entries}, secret=SECRET
    ) as here:
        repository, pull = here.demo.repository, here.demo.pull
        repository.grant(alice, "write")
        place = {"owner": repository.owner.login, "repo": repository.name}
        numbered: Json = {**place, "issue_number": pull.number}
        github.requests.clear()
        read: Json = {"name": "list_comments", "arguments": numbered}
        for key in ("alice", "mesh", "alice"):
            asked = await keys.ask(here.router, keys.key_of(key), "tools/call", read)
            assert asked.result["isError"] is False
        names = [received.token for received in github.requests.matching("GET")]
        # What she asks again is answered from what was kept for her, and not for the mesh.
        assert names[0] == "alice"
        assert names[-1] != "alice"
        assert len(set(names)) == 2
        write: Json = {"name": "create_comment", "arguments": {**numbered, "body": "Hers."}}
        made = await keys.ask(here.router, keys.key_of("alice"), "tools/call", write)
        assert made.result["isError"] is False, made.body
        assert pull.comments[-1].author is alice
        repository.private = True
        refused = await keys.ask(here.router, keys.key_of("bob"), "tools/call", read)
        assert failure(refused)["error_code"] == "NOT_FOUND"
