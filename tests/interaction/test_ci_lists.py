"""Lists of workflow runs, check runs and annotations."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from tests.interaction.ci_watching import HOME, World, bound, world
from trunkline_shared.testing.github import Annotation, GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    async with world(github, monkeypatch) as made:
        yield made


@pytest.mark.requirement("ci.run-lists")
async def test_runs_are_listed_newest_first_and_filtered(here: World) -> None:
    """By workflow, branch, event, actor, status and time, as GitHub offers it."""
    old = here.ci.add_run("1" * 40, event="push", branch="main", actor=here.me)
    old.created_at -= timedelta(days=40)
    new = here.ci.add_run("2" * 40, workflow="lint.yml", conclusion="failure")
    day = (here.github.state.ledger.now() - timedelta(days=7)).strftime("%Y-%m-%d")
    for arguments, wanted in (
        ({}, [new.id, old.id]),
        ({"workflow": "lint.yml"}, [new.id]),
        ({"workflow": str(old.workflow_id)}, [old.id]),
        ({"branch": "main"}, [old.id]),
        ({"event": "push"}, [old.id]),
        ({"actor": here.me.login}, [old.id]),
        ({"status": "failure"}, [new.id]),
        ({"created": f">={day}"}, [new.id]),
        ({"workflow": "ci.yml", "status": "failure"}, []),
    ):
        found = await here.call("list_workflow_runs", **arguments)
        assert [run["id"] for run in found["runs"]] == wanted, arguments
        assert found["page_info"]["total_count"] == len(wanted)


@pytest.mark.requirement("ci.run-lists")
async def test_a_list_of_runs_says_where_it_goes_on(here: World) -> None:
    """Pages, the whole number, and fields to choose."""
    for _ in range(5):
        here.ci.add_run(here.head, jobs=False)
    first = await here.call("list_workflow_runs", per_page=2, fields=["id"])
    assert [run.keys() for run in first["runs"]] == [{"id"}, {"id"}]
    assert first["page_info"] == {
        "has_more": True,
        "next_page": 2,
        "next_cursor": None,
        "total_count": 5,
        "returned": 2,
        "truncated": False,
    }
    last = await here.call("list_workflow_runs", per_page=2, page=3)
    assert (last["has_more"], len(last["runs"])) == (False, 1)
    assert last["source"]["etag"]


@pytest.mark.requirement("ci.pagination")
async def test_the_end_of_a_filtered_list_is_not_the_end_of_the_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """GitHub counts 1,003 and shows 1,000: the page says that it is cut."""
    async with GitHubStandIn() as github, world(github, monkeypatch) as here:
        for _ in range(1_003):
            here.ci.add_run(here.head, jobs=False)
        last = await here.call("list_workflow_runs", branch="feature", per_page=100, page=10)
        info = last["page_info"]
        assert (info["has_more"], info["truncated"], info["total_count"]) == (False, True, 1_003)


async def test_three_thousand_runs_are_paged_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a filter there is no cap: 30 pages, every run once."""
    async with GitHubStandIn() as github, world(github, monkeypatch) as here:
        for _ in range(3_000):
            here.ci.add_run(here.head, jobs=False)
        page: int | None = 1
        seen: list[int] = []
        while page is not None:
            found = await here.call("list_workflow_runs", per_page=100, page=page, fields=["id"])
            seen += [run["id"] for run in found["runs"]]
            page = found["page_info"]["next_page"]
        assert len(seen) == len(set(seen)) == 3_000


async def test_an_unknown_workflow_is_not_found_with_a_hint(here: World) -> None:
    """File names are no display names."""
    failure = await here.refused("list_workflow_runs", workflow="Build and test")
    assert failure["error_code"] == "NOT_FOUND"
    assert "ci.yml" in failure["hint"]


@pytest.mark.requirement("ci.deleted-null")
async def test_a_run_without_actor_and_fork_is_listed(here: World) -> None:
    """Both are null."""
    here.ci.add_run(here.head).head_repository_deleted = True
    (run,) = (await here.call("list_workflow_runs"))["runs"]
    assert (run["actor"], run["head_repository"]) == (None, None)


@pytest.mark.requirement("ci.ownership")
async def test_a_bound_context_lists_runs_of_its_own_branch_only(here: World) -> None:
    """Whatever filter is given."""
    mine = here.ci.add_run(here.head)
    here.ci.add_run("1" * 40, branch="main")
    stray = here.ci.add_run("2" * 40, branch="feature")
    stray.head_repository_deleted = True
    meta = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    found = await here.call("list_workflow_runs", meta=meta)
    assert [run["id"] for run in found["runs"]] == [mine.id]
    failure = await here.refused("list_workflow_runs", branch="main", meta=meta)
    assert failure["error_code"] == "BLOCKED_BY_POLICY"


@pytest.mark.requirement("ci.check-lists")
async def test_checks_are_listed_with_app_title_and_annotations(here: World) -> None:
    """Jobs of Actions and checks of apps, without superseded ones."""
    here.ci.add_run(here.head, conclusion="failure")
    run = here.ci.add_run(here.head)
    check = here.ci.add_check(here.head, "coverage", title="80 %")
    check.annotations.append(Annotation(path="a.py", start_line=1, end_line=2))
    found = await here.call("list_check_runs", ref=here.head)
    assert found["superseded"] == 1
    coverage, build = found["checks"]
    assert (coverage["app"], coverage["title"], coverage["annotations_count"]) == (
        *("codecov", "80 %", 1),
    )
    assert (build["app"], build["id"]) == ("github-actions", run.attempt.jobs[0].id)
    whole = await here.call("list_check_runs", ref=here.head, dedupe=False)
    assert (len(whole["checks"]), whole["superseded"]) == (3, 0)


@pytest.mark.requirement("ci.check-lists")
async def test_checks_are_filtered_and_paged(here: World) -> None:
    """By name and state; a state is looked at after superseded ones are gone."""
    suite = here.ci.add_suite(here.head, "codecov")
    here.ci.add_check(here.head, "coverage", suite=suite, conclusion="failure")
    here.ci.add_check(here.head, "coverage", suite=suite, status="in_progress")
    here.ci.add_check(here.head, "style")
    number = here.pull.number
    named = await here.call("list_check_runs", pr_number=number, check_name="coverage")
    assert [check["status"] for check in named["checks"]] == ["in_progress"]
    assert (await here.call("list_check_runs", pr_number=number, status="failure"))["checks"] == []
    history = await here.call(
        "list_check_runs", pr_number=number, filter="all", dedupe=False, per_page=2
    )
    assert (len(history["checks"]), history["page_info"]["total_count"]) == (2, 3)
    assert history["page_info"]["next_page"] == 2


async def test_checks_are_listed_where_runs_may_not_be_read(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token for checks alone still works; suites then stand for themselves."""
    here.repository.private = True
    here.ci.add_check(here.head, "coverage")
    given = {"checks": "read", "contents": "read"}
    narrow = here.github.state.add_token(here.me, "narrow", permissions=given)
    monkeypatch.setenv("GITHUB_TOKEN", narrow.secret)
    assert len((await here.call("list_check_runs", ref=here.head))["checks"]) == 1


@pytest.mark.requirement("ci.check-lists")
async def test_annotations_are_read_page_by_page(here: World) -> None:
    """Path, lines, level, message and title; a job's id is a check's id too."""
    run = here.ci.add_run(here.head, conclusion="failure")
    (job,) = run.attempt.jobs
    for line in range(1, 4):
        job.annotations.append(
            Annotation(path="a.py", start_line=line, end_line=line, message="x\u202ey")
        )
    found = await here.call("get_check_annotations", check_run_id=job.id, per_page=2)
    assert found["annotations"][0] == {
        "path": "a.py",
        "start_line": 1,
        "end_line": 1,
        "level": "failure",
        "message": "xy",
        "title": None,
    }
    assert found["page_info"]["next_page"] == 2
    rest = await here.call("get_check_annotations", check_run_id=job.id, per_page=2, page=2)
    assert (len(rest["annotations"]), rest["has_more"]) == (1, False)


@pytest.mark.requirement("ci.ownership")
async def test_a_bound_context_reads_annotations_of_its_own_checks_only(here: World) -> None:
    """Check runs name no pull request for forks: the commit decides."""
    mine, other = here.ci.add_check(here.head, "a"), here.ci.add_check("2" * 40, "b")
    meta = bound(owner="acme", repo="widgets", pr_number=here.pull.number)
    await here.call("get_check_annotations", check_run_id=mine.id, meta=meta)
    failure = await here.refused("get_check_annotations", check_run_id=other.id, meta=meta)
    assert failure["error_code"] == "BLOCKED_BY_POLICY"
    assert not here.github.requests.matching("GET", f"{HOME}/check-runs/{other.id}/annotations")
