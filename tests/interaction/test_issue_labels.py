"""Adding labels that exist, taking them off, listing them."""

from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import LABELS, Tracking, tracking
from trunkline_shared.testing.github import CutAfterApplying, CutBeforeReading, GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """A repository with three labels, one of them on the issue."""
    async with tracking(github, monkeypatch) as made:
        made.label(made.issue, "bug")
        for name in ("Help Wanted", "documentation"):
            made.repository.tracker.add_label(name)
        yield made


def labels_of(here: Tracking) -> list[str]:
    """Return the names of the issue's labels."""
    return [label.name for label in here.issue.labels]


@pytest.mark.requirement("issues.seed-fields")
async def test_labels_are_added_as_the_repository_spells_them(here: Tracking) -> None:
    """Case is no matter, and what is there already is told apart."""
    answer = await here.call(
        "github_add_labels", issue_number=1, labels=["HELP wanted", "Bug", " help wanted "]
    )
    assert answer == {
        "success": True,
        "issue_number": 1,
        "labels_added": ["Help Wanted"],
        "already_present": ["bug"],
        "missing": [],
        "suggestions": {},
        "labels": ["bug", "Help Wanted"],
    }
    assert labels_of(here) == ["bug", "Help Wanted"]


async def test_labels_are_added_to_pull_requests_too(here: Tracking) -> None:
    """They share their numbers."""
    await here.call("github_add_labels", issue_number=2, labels=["bug"])
    assert [label.name for label in here.pull.labels] == ["bug"]


@pytest.mark.requirement("issues.unknown-labels")
async def test_the_known_labels_are_added_and_the_unknown_named(here: Tracking) -> None:
    """GitHub would make them, grey, without a word."""
    answer = await here.call(
        "github_add_labels", issue_number=1, labels=["documentatoin", "help wanted"]
    )
    assert answer["labels_added"] == ["Help Wanted"]
    assert answer["missing"] == ["documentatoin"]
    assert answer["suggestions"] == {"documentatoin": ["documentation"]}
    assert list(here.repository.tracker.labels) == ["bug", "help wanted", "documentation"]


@pytest.mark.requirement("issues.unknown-labels")
async def test_when_no_label_is_known_nothing_is_added(here: Tracking) -> None:
    """INVALID_INPUT names them all, and the nearest that exist."""
    error = await here.refused("github_add_labels", issue_number=1, labels=["bugs", "zzz"])
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"] == IsPartialDict(missing=["bugs", "zzz"], suggestions={"bugs": ["bug"]})
    assert not here.sent("POST")


@pytest.mark.requirement("issues.unknown-labels")
async def test_unknown_labels_are_made_when_asked_for(here: Tracking) -> None:
    """By who may; who may not is refused by GitHub."""
    answer = await here.call(
        "github_add_labels", issue_number=1, labels=["a/b, c?"], create_missing=True
    )
    assert (answer["labels_added"], answer["missing"]) == (["a/b, c?"], [])
    here.repository.grant(here.me, "triage")
    error = await here.refused(
        "github_add_labels", issue_number=1, labels=["another"], create_missing=True
    )
    assert error["error_code"] == "PERMISSION_DENIED"


async def test_every_page_of_the_repositorys_labels_is_read(here: Tracking) -> None:
    """The last of 250 is as known as the first."""
    for number in range(250):
        here.repository.tracker.add_label(f"area {number}")
    answer = await here.call("github_add_labels", issue_number=1, labels=["AREA 249"])
    assert answer["labels_added"] == ["area 249"]


async def test_labels_that_are_all_there_are_not_sent(here: Tracking) -> None:
    """Nothing to do, nothing written."""
    answer = await here.call("github_add_labels", issue_number=1, labels=["bug"])
    assert (answer["labels_added"], answer["already_present"]) == ([], ["bug"])
    assert not here.sent("POST")


@pytest.mark.parametrize("cut", [CutBeforeReading(), CutAfterApplying()])
async def test_a_cut_request_is_repeated_without_harm(
    here: Tracking, cut: CutBeforeReading | CutAfterApplying
) -> None:
    """Adding a label twice is adding it once."""
    here.github.faults.add(cut, "POST", LABELS)
    answer = await here.call("github_add_labels", issue_number=1, labels=["help wanted"])
    assert answer["labels_added"] == ["Help Wanted"]
    assert labels_of(here) == ["bug", "Help Wanted"]


@pytest.mark.parametrize("labels", [["bug", " "], [""], []])
async def test_blank_labels_are_refused_here(here: Tracking, labels: list[str]) -> None:
    """Before anything is sent."""
    error = await here.refused("github_add_labels", issue_number=1, labels=labels)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


@pytest.mark.requirement("issues.moved")
async def test_a_moved_issue_takes_no_write_at_its_old_place(here: Tracking) -> None:
    """NOT_FOUND says where it is now; nothing is written there unasked."""
    other = here.github.state.add_repository("acme/gadgets")
    moved = here.github.state.transfer(here.issue, other)
    for tool, arguments in (
        ("github_add_labels", {"labels": ["bug"]}),
        ("remove_label", {"name": "bug"}),
        ("github_close_issue", {"comment": "done"}),
        ("reopen_issue", {}),
        ("update_issue", {"title": "new"}),
    ):
        error = await here.refused(tool, issue_number=1, **arguments)
        assert (error["error_code"], error["details"]["reason"]) == ("NOT_FOUND", "moved"), tool
        assert error["details"]["moved_to"] == "https://github.com/acme/gadgets/issues/1"
    assert (moved.state, moved.title) == ("open", "Broken")


@pytest.mark.requirement("issues.closed-doors")
async def test_an_archived_repository_takes_no_labels(here: Tracking) -> None:
    """403 with its reason."""
    here.repository.archived = True
    error = await here.refused("github_add_labels", issue_number=1, labels=["help wanted"])
    assert (error["error_code"], error["details"]["reason"]) == ("PERMISSION_DENIED", "archived")


@pytest.mark.requirement("issues.label-paths")
@pytest.mark.parametrize(
    "name", ["help wanted", "a/b", "../../../../user", "100%", "ünï?x=1#y", "c++", "."]
)
async def test_a_label_of_any_name_is_taken_off_by_its_name_alone(
    here: Tracking, name: str
) -> None:
    """Percent-encoded, it never leaves its place in the path."""
    here.label(here.issue, name)
    if name == ".":
        error = await here.refused("remove_label", issue_number=1, name=name)
        assert error["error_code"] == "INVALID_INPUT"
        return
    answer = await here.call("remove_label", issue_number=1, name=name.upper())
    assert answer == {"removed": True, "issue_number": 1, "existed": True, "labels": ["bug"]}
    assert labels_of(here) == ["bug"]


async def test_a_label_that_is_off_stays_off(here: Tracking) -> None:
    """`existed` is false and nothing is sent; a missing issue is NOT_FOUND all the same."""
    answer = await here.call("remove_label", issue_number=1, name="documentation")
    assert (answer["existed"], answer["labels"]) == (False, ["bug"])
    assert not here.sent("DELETE")
    error = await here.refused("remove_label", issue_number=99, name="bug")
    assert error["error_code"] == "NOT_FOUND"


async def test_a_removal_that_was_cut_after_it_was_applied_is_a_removal(here: Tracking) -> None:
    """The repeated request finds nothing, and we know why."""
    here.github.faults.add(CutAfterApplying(), "DELETE")
    answer = await here.call("remove_label", issue_number=1, name="bug")
    assert (answer["existed"], answer["labels"]) == (True, [])
    assert not here.issue.labels


async def test_labels_are_listed_page_by_page(here: Tracking) -> None:
    """With colour and description."""
    here.repository.tracker.add_label("later", color="c0ffee", description="Not now")
    one = await here.call("list_labels", limit=3)
    assert [label["name"] for label in one["labels"]] == ["bug", "Help Wanted", "documentation"]
    two = await here.call("list_labels", limit=3, cursor=one["page_info"]["next_cursor"])
    assert two["labels"] == [
        {"name": "later", "description": "Not now", "color": "c0ffee", "default": False}
    ]
    assert (one["has_more"], two["has_more"]) == (True, False)
