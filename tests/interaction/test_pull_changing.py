"""Changing pull requests: text, base, state, reviewers, drafts."""

from collections.abc import AsyncIterator, Mapping

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.pull_reading import ONE, Pulling, edited, pulling
from trunkline_shared import meta
from trunkline_shared.testing.github import AnswerWith, GitHubStandIn, bad_gateway

pytestmark = pytest.mark.anyio

CHANGES: Mapping[str, Mapping[str, object]] = {
    "request_reviewers": {"reviewers": ["ann"]},
    "update_pull_request": {"title": "Better"},
    "set_draft": {"draft": True},
}


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pulling]:
    """The usual world."""
    async with pulling(github, monkeypatch) as made:
        yield made


async def test_what_is_named_is_changed_and_the_rest_stays(here: Pulling) -> None:
    """Title, body, base, state."""
    here.change.body = "before"
    here.repository.add_branch("release", edited("x.py"))
    found = await here.call(
        "update_pull_request", pr_number=2, title="Better", base="release", state="closed"
    )
    assert found == IsPartialDict(title="Better", base="release", state="closed", body="before")
    assert (here.change.title, here.change.state, here.change.body) == (
        "Better",
        "closed",
        "before",
    )
    (sent,) = here.github.requests.matching("PATCH", ONE)
    assert sent.json == {"title": "Better", "base": "release", "state": "closed"}


@pytest.mark.requirement("pull.branches")
async def test_a_base_that_is_not_there_is_told(here: Pulling) -> None:
    """By GitHub's 422; a name that no branch can have before it is sent."""
    error = await here.refused("update_pull_request", pr_number=2, base="nowhere")
    assert error["error_code"] == "BRANCH_NOT_FOUND"
    error = await here.refused("update_pull_request", pr_number=2, base="a b")
    assert error["error_code"] == "INVALID_INPUT"


async def test_nothing_to_change_is_refused(here: Pulling) -> None:
    """It would be a write without an effect."""
    error = await here.refused("update_pull_request", pr_number=2)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


@pytest.mark.requirement("pull.secrets-out")
@pytest.mark.parametrize("field", ["title", "body"])
async def test_a_secret_is_not_written_into_one(here: Pulling, field: str) -> None:
    """Nothing is sent."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    error = await here.refused("update_pull_request", pr_number=2, **{field: secret})
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.github.requests)


async def test_people_and_teams_are_asked_for_reviews(here: Pulling) -> None:
    """Asking twice changes nothing."""
    ann = here.github.state.add_user("ann")
    here.repository.grant(ann, "read")
    here.repository.teams.add("core")
    for _ in range(2):
        found = await here.call(
            "request_reviewers", pr_number=2, reviewers=["@ann", "acme/core", "ann"]
        )
        assert found == IsPartialDict(requested_reviewers=["ann"], requested_teams=["core"])
    assert here.pull.reviewers == [ann]


@pytest.mark.parametrize("reviewer", ["nobody", "mallory", "acme/nobody"])
async def test_those_who_cannot_be_asked_are_told_in_githubs_words(
    here: Pulling, reviewer: str
) -> None:
    """Strangers, the author, teams that are not there."""
    error = await here.refused("request_reviewers", pr_number=2, reviewers=[reviewer])
    assert error["error_code"] == "INVALID_INPUT"
    assert "collaborator" in error["message"] or "author" in error["message"]


@pytest.mark.parametrize("reviewers", [[], ["a b"], ["a/b/c"], [""], ["../x"]])
async def test_names_of_nobody_are_refused_before_they_are_sent(
    here: Pulling, reviewers: list[str]
) -> None:
    """Neither a login nor organization/team."""
    error = await here.refused("request_reviewers", pr_number=2, reviewers=reviewers)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


async def test_a_pull_request_becomes_a_draft_and_ready_again(here: Pulling) -> None:
    """What is so already is not sent again."""
    for draft in (True, False):
        found = await here.call("set_draft", pr_number=2, draft=draft)
        assert found == IsPartialDict(draft=draft, changed=True)
        assert here.pull.draft is draft
        again = await here.call("set_draft", pr_number=2, draft=draft)
        assert again == IsPartialDict(draft=draft, changed=False)
    assert here.sent("POST", "/graphql") == 2


@pytest.mark.requirement("pull.no-drafts")
async def test_a_draft_that_the_plan_does_not_have_is_a_failure(here: Pulling) -> None:
    """GraphQL says so inside a 200."""
    here.repository.drafts = False
    error = await here.refused("set_draft", pr_number=2, draft=True)
    assert error["error_code"] == "UNSUPPORTED"
    assert error["details"]["reason"] == "drafts_unsupported"


async def test_changes_are_sent_again_after_a_bad_gateway(here: Pulling) -> None:
    """They say how it shall be, so that twice does no harm."""
    here.github.faults.add(bad_gateway(), "PATCH", ONE)
    here.github.faults.add(bad_gateway(), "POST", "/graphql")
    await here.call("update_pull_request", pr_number=2, title="Better")
    await here.call("set_draft", pr_number=2, draft=True)
    assert (here.change.title, here.pull.draft) == ("Better", True)


@pytest.mark.requirement("pull.binding")
@pytest.mark.parametrize("tool", CHANGES)
async def test_a_context_writes_to_no_other_pull_request(here: Pulling, tool: str) -> None:
    """Nothing is sent."""
    error = await here.refused(
        tool, meta={meta.BIND: {"pr_number": 9}}, pr_number=2, **CHANGES[tool]
    )
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert not len(here.github.requests)


@pytest.mark.parametrize("tool", CHANGES)
async def test_a_change_has_neither_a_default_repository_nor_a_default_number(
    here: Pulling, tool: str
) -> None:
    """INVALID_INPUT names what to pass."""
    error = await here.refused(tool, pr_number=2, owner="", repo="", **CHANGES[tool])
    assert error["error_code"] == "INVALID_INPUT"
    error = await here.refused(tool, **CHANGES[tool])
    assert error["details"]["field_errors"][0]["field"] == "pr_number"


@pytest.mark.requirement("pull.rights")
@pytest.mark.parametrize("tool", ["request_reviewers", "update_pull_request"])
async def test_a_credential_that_may_not_is_told(here: Pulling, tool: str) -> None:
    """With what GitHub wants."""
    denied = AnswerWith(
        status=403,
        body={"message": "Resource not accessible by integration"},
        headers={"x-accepted-github-permissions": "pull_requests=write"},
    )
    here.github.faults.add(denied, times=9)
    error = await here.refused(tool, pr_number=2, **CHANGES[tool])
    assert error["error_code"] == "PERMISSION_DENIED"
    assert "pull_requests=write" in error["hint"]
