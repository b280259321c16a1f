"""What each server notes on its results: what a call has cost, and what is left."""

import pytest
from mcp_types import CallToolResult

from tests.interaction.commenting import world
from tests.interaction.jira_reading import reading as reading_jira
from tests.interaction.project_reading import reading as reading_basecamp
from trunkline_shared import meta
from trunkline_shared.quota import QuotaNote
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio


def note_on(result: CallToolResult) -> QuotaNote:
    """Return what is noted on a result."""
    assert result.meta is not None
    return QuotaNote.model_validate(result.meta[meta.QUOTA])


@pytest.mark.requirement("cache.quota-noted")
async def test_github_servers_note_what_a_call_has_cost_and_what_is_left(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that was only confirmed has cost nothing; the token is named by fingerprint."""
    async with world(github, monkeypatch) as here:
        first = note_on(await here.raw("list_comments", issue_number=1))
        again = note_on(await here.raw("list_comments", issue_number=1))
    assert (first.spent, first.confirmed, again.spent, again.confirmed) == (1, 0, 0, 1)
    assert len(first.credential) == 16
    assert first.credential == again.credential
    assert first.resources["core"].limit == 5000
    assert again.resources["core"].remaining == first.resources["core"].remaining
    assert 0 < first.resources["core"].resets_in_s <= 3600


@pytest.mark.requirement("cache.quota-noted")
async def test_a_failure_notes_what_it_has_cost(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GitHub counts what it does not find, too: twice here, in both families of comments."""
    async with world(github, monkeypatch) as here:
        result = await here.raw("get_comment", comment_id=4711)
    assert result.is_error
    assert note_on(result).spent == 2


async def test_a_call_that_asks_nobody_notes_nothing(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing to tell of one that is refused."""
    async with world(github, monkeypatch) as here:
        result = await here.raw("list_comments", issue_number=0)
    assert result.is_error
    assert result.meta is None or meta.QUOTA not in result.meta


@pytest.mark.requirement("cache.quota-noted")
async def test_basecamps_server_notes_what_a_call_has_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Basecamp does not tell what is left."""
    async with reading_basecamp(monkeypatch) as here:
        first = note_on(await here.raw("list_projects"))
        again = note_on(await here.raw("list_projects"))
    assert first.spent >= 1
    assert (again.spent, again.confirmed) == (0, first.spent)
    assert first.resources == {}


@pytest.mark.requirement("cache.quota-noted")
async def test_jiras_server_notes_what_a_call_has_cost_and_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Jira Cloud tells when its quota is renewed, as a date."""
    told = {
        "x-ratelimit-limit": "350",
        "x-ratelimit-remaining": "17",
        "x-ratelimit-reset": "2999-01-01T00:00Z",
    }
    async with reading_jira("cloud", monkeypatch) as here:
        await here.raw("get_myself")
        here.jira.faults.add(AnswerWith(status=404, body="{}", headers=told))
        result = await here.raw("get_jira_issue", issue_key="ME-1")
    assert result.is_error
    note = note_on(result)
    assert note.spent >= 1
    assert (note.resources["requests"].limit, note.resources["requests"].remaining) == (350, 17)
