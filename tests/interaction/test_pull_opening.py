"""Opening pull requests: once, with what GitHub refuses told apart, and nothing lost after it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsInt, IsPartialDict, IsStr

from tests.interaction.asking import failure_of
from tests.interaction.pull_reading import PULLS, Pulling, edited, pulling
from trunkline_shared.testing.github import (
    CutAfterApplying,
    CutBeforeReading,
    GitHubStandIn,
    Issue,
    LaggingList,
    bad_gateway,
)
from trunkline_shared.testing.github.faults import Fault

pytestmark = pytest.mark.anyio

NEW = {"title": "Add login", "body": "It lets people in.", "base": "main", "head": "login"}
CUTS: dict[str, Fault] = {
    "before it was read": CutBeforeReading(),
    "after it was done": CutAfterApplying(),
    "a bad gateway": bad_gateway(),
}


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pulling]:
    """The usual world, with a branch that nobody has opened yet."""
    async with pulling(github, monkeypatch) as made:
        made.repository.add_branch("login", edited("login.py"))
        yield made


def from_login(here: Pulling) -> list[Issue]:
    """Return the pull requests from the new branch."""
    return [
        one
        for one in here.repository.issues.values()
        if one.pull is not None and one.pull.head_ref == "login"
    ]


async def test_a_pull_request_is_opened(here: Pulling) -> None:
    """With the fields that the seed names."""
    made = await here.call("github_create_pr", **NEW)
    assert made == {
        "pr_number": 3,
        "url": "https://github.com/acme/widgets/pull/3",
        "state": "open",
        "title": "Add login",
        "created": True,
        "node_id": IsStr,
        "warnings": [],
    }
    (opened,) = from_login(here)
    assert (opened.title, opened.body) == ("Add login", "It lets people in.")
    assert opened.pull is not None
    assert opened.pull.maintainer_can_modify is True


async def test_a_draft_is_opened_as_one(here: Pulling) -> None:
    """Its state is draft, as in the seed; the body may be empty."""
    made = await here.call("github_create_pr", **{**NEW, "body": ""}, draft=True)
    assert made["state"] == "draft"
    (opened,) = from_login(here)
    assert opened.pull is not None
    assert opened.pull.draft is True


@pytest.mark.requirement("pull.exists")
async def test_a_second_one_is_refused_with_the_number_of_the_first(here: Pulling) -> None:
    """An agent can go on with it."""
    await here.call("github_create_pr", **NEW)
    error = await here.refused("github_create_pr", **NEW)
    assert error["error_code"] == "CONFLICT"
    assert error["details"] == IsPartialDict(
        reason="already_exists", pr_number=3, url="https://github.com/acme/widgets/pull/3"
    )
    assert "#3" in error["message"]
    assert "if_exists" in error["hint"]


@pytest.mark.requirement("pull.exists")
async def test_the_existing_one_is_returned_when_that_is_asked_for(here: Pulling) -> None:
    """Whatever its title; nothing is posted. One to another base does not count."""
    await here.call("github_create_pr", **NEW)
    here.repository.add_branch("release", edited("x.py"))
    asked = {**NEW, "title": "Another title", "if_exists": "return"}
    found = await here.call("github_create_pr", **asked)
    assert found == IsPartialDict(pr_number=3, created=False, title="Add login")
    assert here.sent("POST", PULLS) == 1
    other = await here.call("github_create_pr", **{**asked, "base": "release"})
    assert other == IsPartialDict(pr_number=4, created=True)


@pytest.mark.requirement("pull.exists")
async def test_one_that_the_list_does_not_show_yet_is_found_after_githubs_refusal(
    here: Pulling,
) -> None:
    """A replica that lags behind does not make a failure of it."""
    await here.call("github_create_pr", **NEW)
    here.github.faults.add(LaggingList(newest=1), "GET", PULLS)
    found = await here.call("github_create_pr", **{**NEW, "title": "T"}, if_exists="return")
    assert found == IsPartialDict(pr_number=3, created=False)


@pytest.mark.requirement("pull.no-commits")
async def test_a_head_without_commits_is_told(here: Pulling) -> None:
    """As its own reason: nothing about the arguments is wrong."""
    here.repository.add_branch("empty")
    error = await here.refused("github_create_pr", **{**NEW, "head": "empty"})
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["reason"] == "no_commits"
    assert "push" in error["hint"].lower()


@pytest.mark.requirement("pull.branches")
@pytest.mark.parametrize("field", ["base", "head"])
async def test_a_branch_that_is_not_there_is_told(here: Pulling, field: str) -> None:
    """By GitHub's 422, with what to do."""
    error = await here.refused("github_create_pr", **{**NEW, field: "nowhere"})
    assert error["error_code"] == "BRANCH_NOT_FOUND"
    assert "nowhere" in error["message"]
    assert "Push" in error["hint"]


@pytest.mark.requirement("pull.branches")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base", "acme:main"),
        ("base", ""),
        ("base", "a..b"),
        ("head", "x y"),
        ("head", "a/b:c"),
        ("head", ":login"),
        ("head", "refs/heads/x.lock"),
    ],
)
async def test_a_name_that_no_branch_can_have_is_refused(
    here: Pulling, field: str, value: str
) -> None:
    """Before anything is asked."""
    error = await here.refused("github_create_pr", **{**NEW, field: value})
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == field
    assert not len(here.github.requests)


@pytest.mark.requirement("pull.forks")
async def test_the_branch_of_a_fork_is_opened(here: Pulling) -> None:
    """Written with its owner, and found again by it."""
    fork = here.github.state.add_repository("mallory/widgets")
    fork.grant(here.me, "write")
    fork.add_branch("login", edited("login.py"))
    asked = {**NEW, "head": "mallory:login"}
    made = await here.call("github_create_pr", **asked)
    (opened,) = from_login(here)
    assert opened.pull is not None
    assert opened.pull.head_owner is here.author
    error = await here.refused("github_create_pr", **asked)
    assert error["details"]["pr_number"] == made["pr_number"]


@pytest.mark.requirement("pull.forks")
async def test_another_repository_of_the_organization_is_named_by_head_repo(here: Pulling) -> None:
    """Its owner does not tell it from the base's own repository."""
    copy = here.github.state.add_repository("acme/widgets-copy")
    copy.grant(here.me, "write")
    copy.add_branch("copied", edited("login.py"))
    asked = {**NEW, "head": "copied", "head_repo": "acme/widgets-copy"}
    assert (await here.call("github_create_pr", **asked))["created"] is True
    (sent,) = here.github.requests.matching("POST", PULLS)
    assert sent.json == IsPartialDict(head="copied", head_repo="acme/widgets-copy")


async def test_head_repo_is_a_repository_that_the_mesh_may_touch(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name of another form is refused too."""
    async with pulling(github, monkeypatch, allowed_repos="acme/widgets") as here:
        for head_repo, code in (("acme/other", "BLOCKED_BY_POLICY"), ("other", "INVALID_INPUT")):
            error = await here.refused("github_create_pr", **NEW, head_repo=head_repo)
            assert error["error_code"] == code
        assert not len(github.requests)


@pytest.mark.requirement("pull.rights")
async def test_missing_push_rights_are_told(here: Pulling) -> None:
    """403, or 404 where the repository is not to be known of."""
    here.repository.grant(here.me, "read")
    error = await here.refused("github_create_pr", **NEW)
    assert error["error_code"] == "PERMISSION_DENIED"
    assert "push access" in error["hint"]
    here.repository.private = True
    here.repository.grant(here.me, "none")
    error = await here.refused("github_create_pr", **NEW)
    assert error["error_code"] == "NOT_FOUND"
    assert "push access" in error["hint"]


@pytest.mark.requirement("pull.no-drafts")
async def test_a_plan_without_drafts_is_told(here: Pulling) -> None:
    """With the way around it."""
    here.repository.drafts = False
    error = await here.refused("github_create_pr", **NEW, draft=True)
    assert error["error_code"] == "UNSUPPORTED"
    assert error["details"]["reason"] == "drafts_unsupported"
    assert (await here.call("github_create_pr", **NEW))["created"] is True


@pytest.mark.requirement("pull.once")
@pytest.mark.parametrize("cut", CUTS)
async def test_a_creation_that_is_cut_leaves_exactly_one_with_if_exists_return(
    here: Pulling, cut: str
) -> None:
    """GitHub refuses a second one, so that it may be posted again."""
    here.github.faults.add(CUTS[cut], "POST", PULLS)
    made = await here.call("github_create_pr", **NEW, if_exists="return")
    assert made == IsPartialDict(pr_number=IsInt, created=True)
    assert len(from_login(here)) == 1


@pytest.mark.requirement("pull.once")
@pytest.mark.parametrize("cut", CUTS)
async def test_a_creation_that_is_cut_leaves_one_at_most(here: Pulling, cut: str) -> None:
    """Either it is found, or the answer says that it may be there."""
    here.github.faults.add(CUTS[cut], "POST", PULLS)
    result = await here.raw("github_create_pr", **NEW)
    assert len(from_login(here)) <= 1
    if result.is_error:
        assert failure_of(result)["details"]["may_have_happened"] is True
    else:
        assert len(from_login(here)) == 1
    assert bool(result.is_error) == (not from_login(here))


@pytest.mark.requirement("pull.once")
async def test_a_creation_that_is_cut_and_cannot_be_looked_for_may_have_happened(
    here: Pulling,
) -> None:
    """The agent is told how to look before it sends it again."""
    here.github.faults.add(CutAfterApplying(), "POST", PULLS)
    here.github.faults.add(bad_gateway(), "GET", PULLS, times=9)
    error = await here.refused("github_create_pr", **NEW)
    assert error["error_code"] == "TIMEOUT"
    assert error["details"]["may_have_happened"] is True
    assert "list_pull_requests" in error["hint"]
    assert error["retryable"] is False
    assert len(from_login(here)) == 1


@pytest.mark.requirement("pull.once")
async def test_one_that_the_list_shows_late_is_found_after_githubs_refusal(here: Pulling) -> None:
    """Opened behind a bad gateway, unseen by a lagging replica, refused the second time."""
    here.github.faults.add(CutAfterApplying(), "POST", PULLS)
    here.github.faults.add(LaggingList(newest=1), "GET", PULLS)
    made = await here.call("github_create_pr", **NEW, if_exists="return")
    assert len(from_login(here)) == 1
    assert made["pr_number"] == from_login(here)[0].number


@pytest.mark.requirement("pull.once")
async def test_somebody_elses_is_not_taken_for_ones_own(here: Pulling) -> None:
    """Found after a cut: another author had opened it before."""
    here.repository.add_pull("Add login", here.author, head="login")
    here.github.faults.add(CutBeforeReading(), "POST", PULLS)
    error = await here.refused("github_create_pr", **NEW)
    assert error["details"]["may_have_happened"] is True
    assert len(from_login(here)) == 1


@pytest.mark.requirement("pull.once")
async def test_eight_agents_at_once_open_one(here: Pulling) -> None:
    """One creates it, the others find it."""
    async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
        asked = [
            tasks.create_task(here.call("github_create_pr", **NEW, if_exists="return"))
            for _ in range(8)
        ]
    assert sorted(task.result()["created"] for task in asked) == [False] * 7 + [True]
    assert len(from_login(here)) == 1


@pytest.mark.requirement("pull.afterwards")
async def test_reviewers_and_labels_are_added_after_it(here: Pulling) -> None:
    """People by login, teams with their organization; labels as the repository spells them."""
    ann = here.github.state.add_user("ann")
    here.repository.grant(ann, "read")
    here.repository.teams.add("core")
    here.repository.tracker.add_label("Enhancement")
    made = await here.call(
        "github_create_pr", **NEW, reviewers=["ann", "acme/core"], labels=["enhancement"]
    )
    assert made["warnings"] == []
    (opened,) = from_login(here)
    assert opened.pull is not None
    assert (opened.pull.reviewers, opened.pull.teams) == ([ann], ["core"])
    assert [label.name for label in opened.labels] == ["Enhancement"]


@pytest.mark.requirement("pull.afterwards")
async def test_what_fails_after_it_does_not_lose_it(here: Pulling) -> None:
    """The pull request is answered, with what was not done."""
    here.repository.tracker.add_label("bug")
    made = await here.call(
        "github_create_pr", **NEW, reviewers=["nobody"], labels=["bug", "no-such"]
    )
    assert made["created"] is True
    reviewers, label = made["warnings"]
    assert "Reviewers were not requested" in reviewers
    assert "'no-such'" in label
    (opened,) = from_login(here)
    assert [one.name for one in opened.labels] == ["bug"]


async def test_reviewers_that_are_neither_people_nor_teams_are_refused(here: Pulling) -> None:
    """Before the pull request is opened."""
    error = await here.refused("github_create_pr", **NEW, reviewers=["a b"])
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == "reviewers"
    assert not from_login(here)


@pytest.mark.requirement("pull.secrets-out")
@pytest.mark.parametrize("field", ["title", "body"])
async def test_a_secret_is_not_posted(here: Pulling, field: str) -> None:
    """Pull requests are public."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    error = await here.refused("github_create_pr", **{**NEW, field: f"see {secret}"})
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert secret not in str(error)
    assert not len(here.github.requests)


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("title", " ", "INVALID_INPUT"),
        ("title", "x" * 257, "INVALID_INPUT"),
        ("body", "x" * 65_537, "TOO_LARGE"),
    ],
)
async def test_titles_and_bodies_keep_githubs_limits(
    here: Pulling, field: str, value: str, code: str
) -> None:
    """Refused before they are sent."""
    error = await here.refused("github_create_pr", **{**NEW, field: value})
    assert error["error_code"] == code
    assert not len(here.github.requests)


async def test_a_write_has_no_default_repository(here: Pulling) -> None:
    """Nobody opens a pull request somewhere by chance."""
    error = await here.refused("github_create_pr", **NEW, owner="", repo="")
    assert error["error_code"] == "INVALID_INPUT"
    assert [one["field"] for one in error["details"]["field_errors"]] == ["owner", "repo"]
