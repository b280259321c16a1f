"""Reading pull requests: one, by its number or branch, its state, lists."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from dirty_equals import IsPartialDict, IsStr

from tests.interaction.pull_reading import (
    FILES,
    ONE,
    PULLS,
    Pulling,
    edited,
    pulling,
)
from trunkline_shared import meta
from trunkline_shared.testing.github import (
    AnswerWith,
    ChangedFile,
    GitHubStandIn,
    Issue,
    bad_gateway,
)

pytestmark = pytest.mark.anyio

READS = [
    "github_pr_status",
    "get_pull_request",
    "get_pr_status",
    "github_get_pr_diff",
    "list_pr_files",
]
DENIED = AnswerWith(status=403, body={"message": "Resource not accessible by integration"})


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pulling]:
    """The usual world."""
    async with pulling(github, monkeypatch) as made:
        yield made


def opened(here: Pulling, head: str, title: str = "Another") -> Issue:
    """Open another pull request."""
    return here.repository.add_pull(title, here.author, head=head)


async def test_a_pull_request_is_read_with_all_that_the_seed_names(here: Pulling) -> None:
    """Title, people, branches, times, size; text without what cannot be seen."""
    here.change.body = "Mends\u200b it"
    found = await here.call("get_pull_request", pr_number=2)
    assert found == IsPartialDict(
        number=2,
        title="Mend",
        state="open",
        author="mallory",
        base="main",
        head="mend",
        draft=False,
        mergeable=True,
        created_at=IsStr,
        updated_at=IsStr,
        merged=False,
        labels=[],
        body="Mends it",
        url="https://github.com/acme/widgets/pull/2",
        changed_files=2,
        additions=8,
        deletions=8,
        head_sha=here.pull.head_sha,
    )


@pytest.mark.requirement("pull.merged")
async def test_a_merged_pull_request_is_closed_and_merged(here: Pulling) -> None:
    """Its status is merged, and nobody waits for it to become mergeable."""
    here.change.close()
    here.pull.merged_at, here.pull.mergeable = datetime(2026, 1, 1, tzinfo=UTC), None
    assert await here.call("get_pull_request", pr_number=2) == IsPartialDict(
        state="closed", merged=True
    )
    status = await here.call("github_pr_status", pr_number=2)
    assert status == IsPartialDict(state="merged", mergeable=None, merge_state_status="unknown")
    assert here.clock.slept == []


async def test_the_author_of_a_deleted_account_is_null(here: Pulling) -> None:
    """Which is no failure."""
    here.change.author = None
    (listed,) = (await here.call("list_pull_requests"))["pull_requests"]
    assert listed["author"] is None


async def test_an_issues_number_is_no_pull_request(here: Pulling) -> None:
    """Issues and pull requests share their numbers."""
    for tool in READS:
        assert (await here.refused(tool, pr_number=1))["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("pull.by-branch")
@pytest.mark.parametrize("tool", READS)
async def test_a_branch_leads_to_its_open_pull_request(here: Pulling, tool: str) -> None:
    """GitHub's filter needs the owner, and ignores a head without one."""
    opened(here, "other")
    found = await here.call(tool, branch="mend")
    number = found.get("pr_number") or found.get("number") or found["pull_request"]["number"]
    assert number == 2
    (asked,) = here.github.requests.matching("GET", PULLS)
    assert ("head", "acme:mend") in asked.query


@pytest.mark.requirement("pull.by-branch")
async def test_the_newest_of_several_is_read_and_the_others_are_named(here: Pulling) -> None:
    """One branch can have an open pull request towards each of several bases."""
    newer = opened(here, "mend")
    found = await here.call("get_pull_request", branch="mend")
    assert (found["number"], found["other_pull_requests"]) == (newer.number, [2])


@pytest.mark.requirement("pull.by-branch")
async def test_a_branch_of_a_fork_is_written_with_its_owner(here: Pulling) -> None:
    """Two forks may have branches of the same name."""
    fork = opened(here, "mend")
    assert fork.pull is not None
    fork.pull.head_owner = here.author
    found = await here.call("get_pull_request", branch="mallory:mend")
    assert (found["number"], found["head"]) == (fork.number, "mallory:mend")
    assert (await here.call("get_pull_request", branch="mend"))["number"] == 2


@pytest.mark.requirement("pull.by-branch")
async def test_a_branch_without_an_open_pull_request_is_told(here: Pulling) -> None:
    """A closed one does not count."""
    here.change.close()
    for branch in ("mend", "nowhere"):
        error = await here.refused("github_pr_status", branch=branch)
        assert error["error_code"] == "NOT_FOUND"
        assert error["details"]["reason"] == "no_open_pull_request"
        assert f"acme:{branch}" in error["message"]
        assert "pr_number" in error["hint"]


@pytest.mark.requirement("pull.by-branch")
@pytest.mark.parametrize("tool", READS)
async def test_without_number_and_branch_the_answer_says_what_to_pass(
    here: Pulling, tool: str
) -> None:
    """Nothing is asked of GitHub."""
    error = await here.refused(tool)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["field_errors"][0]["field"] == "pr_number"
    assert "branch" in error["hint"]
    assert not len(here.github.requests)


@pytest.mark.parametrize("branch", ["a b", "..", "x:", ":y", "a~1", "-x/", "@{u}", "a\u0000", "/"])
async def test_a_name_that_git_allows_for_no_branch_is_refused(here: Pulling, branch: str) -> None:
    """Before anything is asked."""
    error = await here.refused("get_pull_request", branch=branch)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


@pytest.mark.requirement("pull.by-branch")
async def test_what_was_found_by_branch_is_not_kept(here: Pulling) -> None:
    """Its tags name no pull request, so that a write to it would not spoil it."""
    by_branch = await here.raw("get_pull_request", branch="mend")
    assert by_branch.meta is not None
    assert by_branch.meta[meta.REUSE] == {"no_store": True}
    by_number = await here.raw("get_pull_request", pr_number=2)
    assert (by_number.meta or {})[meta.REUSE] == {"tags": ["gh:acme/widgets:branches/main"]}


@pytest.mark.requirement("pull.binding")
@pytest.mark.parametrize("tool", READS)
async def test_a_context_reaches_no_other_pull_request(here: Pulling, tool: str) -> None:
    """Neither by number nor by branch; its own is read."""
    opened(here, "other")
    bound = {meta.BIND: {"pr_number": 2}}
    for arguments in ({"pr_number": 3}, {"branch": "other"}):
        error = await here.refused(tool, meta=bound, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY"
    await here.call(tool, meta=bound, pr_number=2)
    elsewhere = {meta.BIND: {"branch": "other"}}
    for arguments in ({"pr_number": 2}, {"branch": "mend"}):
        error = await here.refused(tool, meta=elsewhere, **arguments)
        assert error["error_code"] == "BLOCKED_BY_POLICY"


@pytest.mark.requirement("pull.mergeable-null")
async def test_mergeable_null_is_read_again_until_github_has_computed_it(here: Pulling) -> None:
    """After one, two and three seconds."""
    here.pull.computing = 2
    status = await here.call("github_pr_status", pr_number=2)
    assert status == IsPartialDict(mergeable=True, merge_state_status="clean", has_conflicts=False)
    assert here.clock.slept == [1.0, 2.0]
    here.pull.computing = 1
    both = await here.call("get_pr_status", pr_number=2)
    assert both["pull_request"]["mergeable"] is True


@pytest.mark.requirement("pull.mergeable-null")
async def test_mergeable_that_stays_null_is_null_and_unknown(here: Pulling) -> None:
    """Null is not false: there may be no conflict at all. It is not kept for the next reader."""
    here.pull.computing = 99
    result = await here.raw("github_pr_status", pr_number=2)
    assert result.structured_content == IsPartialDict(
        mergeable=None, merge_state_status="unknown", has_conflicts=False
    )
    assert here.clock.slept == [1.0, 2.0, 3.0]
    assert result.meta is not None
    assert result.meta[meta.REUSE] == {"no_store": True}


async def test_conflicts_are_those_of_a_dirty_state(here: Pulling) -> None:
    """Words of GitHub in lower case, whatever it adds to them."""
    here.pull.mergeable, here.pull.mergeable_state = False, "dirty"
    assert await here.call("github_pr_status", pr_number=2) == IsPartialDict(
        mergeable=False, merge_state_status="dirty", has_conflicts=True
    )


@pytest.mark.requirement("pull.reviewers")
async def test_the_newest_decision_of_each_reviewer_counts(here: Pulling) -> None:
    """A comment after an approval changes nothing; a dismissal does; drafts are not told."""
    ann, bob = here.github.state.add_user("ann"), here.github.state.add_user("bob")
    here.review(ann, "CHANGES_REQUESTED")
    here.review(ann, "APPROVED")
    here.review(ann, "COMMENTED")
    here.review(bob, "COMMENTED")
    here.review(here.author, "DISMISSED")
    here.review(None, "APPROVED")
    here.review(here.me, "PENDING")
    status = await here.call("github_pr_status", pr_number=2)
    assert status["reviews"] == [
        {"author": "ann", "state": "APPROVED"},
        {"author": "bob", "state": "COMMENTED"},
        {"author": "mallory", "state": "DISMISSED"},
        {"author": None, "state": "APPROVED"},
    ]
    assert status["review_decision"] == "approved"


@pytest.mark.requirement("pull.reviewers")
async def test_requested_reviews_are_still_to_come(here: Pulling) -> None:
    """And one who requests changes outweighs those who approve."""
    assert (await here.call("github_pr_status", pr_number=2))["review_decision"] == "none"
    here.pull.reviewers.append(here.me)
    waiting = await here.call("get_pr_status", pr_number=2)
    assert waiting["review_decision"] == "review_required"
    here.review(here.me, "APPROVED")
    here.review(here.github.state.add_user("ann"), "CHANGES_REQUESTED")
    status = await here.call("github_pr_status", pr_number=2)
    assert status["review_decision"] == "changes_requested"


async def test_the_parts_of_a_status_are_read_at_the_same_time(here: Pulling) -> None:
    """None of them waits for another."""
    paths = (f"{ONE}/reviews", "*/check-runs", "*/status")
    gates = [here.github.faults.hold("GET", path) for path in paths]
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        tasks.create_task(here.call("github_pr_status", pr_number=2))
        for gate in gates:
            await gate.reached()
        for gate in gates:
            gate.release()


async def test_every_review_of_a_long_list_is_read(here: Pulling) -> None:
    """The newest are on the last page."""
    for _ in range(130):
        here.review(here.me, "APPROVED")
    here.review(here.me, "CHANGES_REQUESTED")
    status = await here.call("github_pr_status", pr_number=2)
    assert status["reviews"] == [{"author": "helper-bot", "state": "CHANGES_REQUESTED"}]


async def test_status_and_details_come_together(here: Pulling) -> None:
    """What the branch seed calls get_pr_status."""
    here.review(here.me, "APPROVED")
    found = await here.call("get_pr_status", pr_number=2)
    assert found == IsPartialDict(
        pull_request=IsPartialDict(number=2, title="Mend", state="open"),
        reviews=[{"author": "helper-bot", "state": "APPROVED"}],
        checks=[],
        unavailable={},
    )


@pytest.mark.requirement("pull.checks")
async def test_check_runs_and_commit_statuses_are_checks(here: Pulling) -> None:
    """With the seed's three fields; unknown words are carried."""
    ci, head = here.repository.ci, here.pull.head_sha
    ci.add_check(head, "lint", conclusion="failure")
    ci.add_check(head, "slow", status="in_progress")
    ci.add_status(head, "ci/old", state="error")
    ci.add_status(head, "ci/new", state="pending")
    status = await here.call("github_pr_status", pr_number=2)
    assert sorted(status["checks"], key=lambda check: str(check["name"])) == [
        {"name": "ci/new", "status": "pending", "conclusion": None},
        {"name": "ci/old", "status": "completed", "conclusion": "error"},
        {"name": "lint", "status": "completed", "conclusion": "failure"},
        {"name": "slow", "status": "in_progress", "conclusion": None},
    ]
    assert status["unavailable"] == {}
    assert not here.github.requests.matching("GET", "*/actions/runs")


@pytest.mark.requirement("pull.checks")
async def test_the_checks_of_a_superseded_run_are_left_out(here: Pulling) -> None:
    """A second run on the same commit has checks of its own; the failure before is history."""
    moment = here.repository.ledger.now()
    for conclusion, earlier in (("failure", timedelta(minutes=5)), ("success", timedelta())):
        here.repository.ci.add_run(
            here.pull.head_sha, conclusion=conclusion, at=moment - earlier, pulls=[2]
        )
    status = await here.call("github_pr_status", pr_number=2)
    assert status["checks"] == [{"name": "build", "status": "completed", "conclusion": "success"}]


@pytest.mark.requirement("pull.checks")
@pytest.mark.parametrize("fault", [DENIED, bad_gateway()], ids=["denied", "failing"])
async def test_checks_that_cannot_be_read_are_told_and_the_rest_stays(
    here: Pulling, fault: AnswerWith
) -> None:
    """A token without the permission for checks still sees reviews and conflicts."""
    here.github.faults.add(fault, "GET", "*/check-runs", times=9)
    here.review(here.me, "APPROVED")
    result = await here.raw("github_pr_status", pr_number=2)
    found = result.structured_content
    assert found is not None
    assert found["reviews"] == [{"author": "helper-bot", "state": "APPROVED"}]
    assert list(found["unavailable"]) == ["check_runs"]
    assert found["unavailable"]["check_runs"].startswith(("PERMISSION_DENIED", "UPSTREAM_"))
    kept = fault is DENIED
    checks = f"gh:acme/widgets@{found['head_sha']}:checks"
    tags = {"tags": ["gh:acme/widgets:branches/main", checks]}
    assert (result.meta or {})[meta.REUSE] == (tags if kept else {"no_store": True})


async def test_pull_requests_are_listed_in_pages(here: Pulling) -> None:
    """Newest first; the cursor leads on and fits no other question."""
    for number in range(4):
        opened(here, f"branch-{number}", f"Change {number}")
    first = await here.call("list_pull_requests", limit=3)
    assert [one["title"] for one in first["pull_requests"]] == ["Change 3", "Change 2", "Change 1"]
    assert first["has_more"] is True
    cursor = first["page_info"]["next_cursor"]
    second = await here.call("list_pull_requests", limit=3, cursor=cursor)
    assert [one["title"] for one in second["pull_requests"]] == ["Change 0", "Mend"]
    assert second["has_more"] is False
    error = await here.refused("list_pull_requests", limit=3, state="all", cursor=cursor)
    assert error["details"]["field_errors"][0]["field"] == "cursor"


async def test_a_list_filters_by_state_base_and_head(here: Pulling) -> None:
    """The owner is put before a head that lacks it."""
    other = opened(here, "other")
    other.close()
    listed = await here.call("list_pull_requests", head="mend")
    assert [one["number"] for one in listed["pull_requests"]] == [2]
    closed = await here.call("list_pull_requests", state="closed", fields=["number", "state"])
    assert closed["pull_requests"] == [{"number": other.number, "state": "closed"}]
    nothing = await here.call("list_pull_requests", base="release")
    assert nothing["pull_requests"] == []
    assert ("head", "acme:mend") in here.github.requests.matching("GET", PULLS)[0].query


async def test_files_are_listed_with_their_patches_when_asked_for(here: Pulling) -> None:
    """Renamings with the name before; what cannot be seen is shown and counted."""
    here.pull.files = [
        edited("src/a.py"),
        ChangedFile(path="b.py", previous_path="a.py", before="x\n", after="x\n"),
        ChangedFile(path="c.py", before="", after="\u202ex\n"),
        ChangedFile(path="logo.png", before="a", after="b", binary=True),
    ]
    plain = await here.call("list_pr_files", pr_number=2, limit=3)
    assert plain["files"][1] == IsPartialDict(
        path="b.py", previous_path="a.py", status="renamed", patch=None
    )
    assert plain == IsPartialDict(total=4, has_more=True, hidden_characters=0)
    assert plain["source"]["head_sha"] == here.pull.head_sha
    cursor = plain["page_info"]["next_cursor"]
    rest = await here.call("list_pr_files", pr_number=2, limit=3, cursor=cursor)
    assert [one["path"] for one in rest["files"]] == ["logo.png"]
    patched = await here.call("list_pr_files", pr_number=2, with_patch=True)
    assert patched["files"][0]["patch"] == here.pull.files[0].patch
    assert "+\\u{202E}x" in patched["files"][2]["patch"]
    assert patched["hidden_characters"] == 1
    assert patched["files"][3]["patch"] is None


async def test_a_cursor_of_another_head_is_refused(here: Pulling) -> None:
    """After a push the list is another one: its pages would not fit together."""
    first = await here.call("list_pr_files", pr_number=2, limit=1)
    here.repository.push(here.change, edited("x.py"), edited("y.py"))
    cursor = first["page_info"]["next_cursor"]
    error = await here.refused("list_pr_files", pr_number=2, limit=1, cursor=cursor)
    assert error["error_code"] == "INVALID_INPUT"
    assert here.sent("GET", FILES) == 1


async def test_a_rate_limit_is_no_missing_part(here: Pulling) -> None:
    """It is answered as what it is, with the time to wait."""
    limited = AnswerWith(
        status=403,
        body={"message": "You have exceeded a secondary rate limit."},
        headers={"retry-after": "600"},
    )
    here.github.faults.add(limited, "GET", f"{ONE}/reviews", times=9)
    error = await here.refused("github_pr_status", pr_number=2)
    assert (error["error_code"], error["retry_after"]) == ("RATE_LIMITED", 600)
