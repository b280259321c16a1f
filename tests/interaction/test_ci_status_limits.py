"""What the state of CI costs, where it ends, and what it may not show."""

import time
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.interaction.ci_watching import HOME, World, bound, world
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("ci.pagination")
async def test_a_failure_on_the_last_page_counts(here: World) -> None:
    """Every page of runs, checks and statuses is read."""
    here.ci.add_run(here.head, workflow="first.yml", conclusion="failure", jobs=False)
    for number in range(150):
        here.ci.add_run(here.head, workflow=f"{number}.yml", jobs=False)
    found = await here.status()
    assert (found["summary"]["failed"], found["summary"]["total"]) == (1, 151)
    assert found["runs"][0]["conclusion"] == "failure"
    assert (len(found["runs"]), found["truncated"]) == (100, True)
    assert "failures first; the summary counts all" in " ".join(found["notes"])


@pytest.mark.requirement("ci.pagination")
@pytest.mark.parametrize("system", ["checks", "statuses"])
async def test_no_system_ends_after_its_first_page(here: World, system: str) -> None:
    """The only failure among 101 passes is the oldest one."""
    for number in range(101):
        good = number > 0
        if system == "checks":
            here.ci.add_check(here.head, f"c{number}", conclusion="success" if good else "failure")
        else:
            here.ci.add_status(here.head, f"s{number}", "success" if good else "failure")
    assert await here.verdict() == "failing"


@pytest.mark.requirement("ci.pagination")
async def test_where_github_ends_a_list_the_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a filtered list no more than 1,000 runs are shown, whatever GitHub counts."""
    async with GitHubStandIn() as github, world(github, monkeypatch) as here:
        for number in range(1_001):
            here.ci.add_run(here.head, workflow=f"{number}.yml", jobs=False)
        found = await here.status()
        assert (found["truncated"], found["summary"]["total"]) == (True, 1_000)
        assert "older ones were not seen" in found["notes"][-1]


async def test_three_thousand_checks_are_judged_within_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A matrix of workflows: 30 pages, one failure among them, in reasonable time of this CPU."""
    async with GitHubStandIn() as github, world(github, monkeypatch) as here:
        suite = here.ci.add_suite(here.head, "codecov")
        for number in range(3_000):
            conclusion = "failure" if number == 7 else "success"
            here.ci.add_check(here.head, f"c{number}", suite=suite, conclusion=conclusion)
        began = time.process_time()
        found = await here.status()
        spent = time.process_time() - began
        assert found["summary"]["verdict"] == "failing"
        assert found["checks"][0]["name"] == "c7"
        pages = github.requests.matching("GET", "*/check-runs")
        assert len(pages) == 30
        assert spent < 15


@pytest.mark.requirement("ci.forks")
async def test_runs_of_forks_are_found_by_commit(here: World) -> None:
    """Their `pull_requests` is empty; the commit is the pull request's head."""
    run = here.ci.add_run(here.head, conclusion="failure", pulls=[])
    found = await here.status()
    assert [one["id"] for one in found["runs"]] == [run.id]
    (asked,) = here.github.requests.matching("GET", f"{HOME}/actions/runs")
    assert ("head_sha", here.head) in asked.query


@pytest.mark.requirement("ci.permission")
@pytest.mark.parametrize("missing", ["actions", "checks", "statuses"])
async def test_a_missing_permission_is_named(
    here: World, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """The tools are listed all the same; the answer says what the token lacks."""
    here.repository.private = True
    given = dict.fromkeys(("actions", "checks", "statuses", "pull_requests", "contents"), "read")
    del given[missing]
    narrow = here.github.state.add_token(here.me, "narrow", permissions=given)
    monkeypatch.setenv("GITHUB_TOKEN", narrow.secret)
    failure = await here.refused("get_ci_status", pr_number=here.pull.number)
    assert failure["error_code"] == "PERMISSION_DENIED"
    assert f"{missing}=read" in failure["hint"]


@pytest.mark.requirement("ci.permission")
async def test_a_silent_commit_needs_no_permission_to_read_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its age would need `contents: read`; without it the pull request's age alone counts."""
    here.repository.private = True
    given = dict.fromkeys(("actions", "checks", "statuses", "pull_requests"), "read")
    narrow = here.github.state.add_token(here.me, "narrow", permissions=given)
    monkeypatch.setenv("GITHUB_TOKEN", narrow.secret)
    here.ci.commits[here.head] = here.github.state.ledger.now()
    assert await here.verdict() == "pending"
    here.pull.created_at -= timedelta(minutes=2)
    assert await here.verdict() == "none"


async def test_without_a_token_the_tools_are_listed_and_say_so(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And they say it before anything else about the repository."""
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.setenv("PATH", "/nonexistent")
    names = {tool.name for tool in (await here.client.list_tools()).tools}
    assert {"get_ci_status", "wait_for_ci", "rerun_run"} <= names
    failure = await here.refused("get_ci_status", owner="", repo="")
    assert failure["error_code"] == "CREDENTIALS_MISSING"


@pytest.mark.requirement("ci.ownership")
async def test_a_bound_context_sees_its_own_commits_only(here: World) -> None:
    """A reference may be the head or an earlier commit of the pull request, and no other."""
    earlier = here.head
    here.repository.push(here.pull)
    other = here.repository.add_pull("Other", here.me, head="other").pull
    assert other is not None
    mine = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    for ref in ("feature", here.head, earlier):
        await here.call("get_ci_status", ref=ref, meta=mine)
    for ref in ("other", other.head_sha, "main"):
        failure = await here.refused("get_ci_status", ref=ref, meta=mine)
        assert failure["error_code"] == "BLOCKED_BY_POLICY", ref
    failure = await here.refused("get_ci_status", pr_number=here.pull.number + 1, meta=mine)
    assert failure["error_code"] == "BLOCKED_BY_POLICY"


async def test_a_ref_of_another_pull_request_is_refused(here: World) -> None:
    """Both given must agree: an answer about another commit would mislead."""
    here.repository.add_pull("Other", here.me, head="other")
    failure = await here.refused("get_ci_status", pr_number=here.pull.number, ref="other")
    assert failure["error_code"] == "INVALID_INPUT"
