"""All about the work at hand in one call, from the servers as they are."""

import asyncio
from pathlib import Path

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.working import BRANCH, PARTS, TOOL, linked_checkout, work
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

PULL = "/repos/acme/widgets/pulls/2"


@pytest.mark.requirement("bridge.work-whole", "bridge.work-tokens")
async def test_one_call_tells_all_about_the_work_at_hand(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Branch, pull request with reviews, CI with its failed job, threads, issue and to-do.

    An agent would have to make six calls; its definition costs few tokens.
    """
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        here.pull.add_review(github.state.users["alice"], "CHANGES_REQUESTED")
        before = len(here.router.spans)
        found = await agent.context()
        spans = [span.name for span in here.router.spans[before:]]
        (tool,) = [one for one in (await agent.client.list_tools()).tools if one.name == TOOL]
    assert list(found) == list(PARTS)
    assert all(found[part]["available"] for part in PARTS)
    branch, pull, ci, threads, jira, todo = (found[part]["data"] for part in PARTS)
    assert (branch["branch"], branch["issue_key"], branch["parent_branch"]) == (
        BRANCH, "WID-2", "main",
    )  # fmt: skip
    assert (pull["number"], pull["title"], pull["author"]) == (
        2,
        "WID-2: Tighten the screws",
        "bob",
    )
    assert pull["reviews"] == [{"author": "alice", "state": "CHANGES_REQUESTED"}]
    assert ci["verdict"] == "failing"
    assert ci["failed"] == [IsPartialDict(name="test (3.13)")]
    assert ci["failed"][0]["run_id"] in here.mesh.demo.repository.ci.runs
    assert threads["unresolved"] == 2
    assert threads["threads"][0] == IsPartialDict(
        path="src/screws.py", line=7, author="alice", body="Why 12 Nm?"
    )
    assert (jira["key"], jira["status"], jira["assignee"]) == ("WID-2", "In Progress", "Demo User")
    assert (todo["title"], todo["assignees"]) == ("Write the release notes", ["Dana Demo"])
    assert agent.sizes[0] <= 4 * 1500
    called = {name for name in spans if name.startswith("tools/call ")} - {f"tools/call {TOOL}"}
    assert called == {
        f"tools/call {name}"
        for name in (
            "get_current_branch",
            "get_pr_status",
            "get_pull_request",
            "get_ci_status",
            "list_review_threads",
            "get_jira_issue",
            "get_todo",
        )
    }
    shown = tool.model_dump_json(include={"name", "description", "input_schema"}, by_alias=True)
    assert len(shown) <= 4 * 350


@pytest.mark.requirement("bridge.work-cached")
async def test_a_second_call_asks_no_vendor_again(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The parts are reads like any others; what a write has changed is asked for anew.

    Jira's first answer of all is not kept: only with it does the server know its site.
    """
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        await agent.context()
        first = await agent.context()
        asked = here.requests()
        again = await agent.context()
        assert here.requests() == asked
        comment = first["threads"]["data"]["threads"][0]["comment_id"]
        await agent.client.call_tool(
            "resolve_thread",
            {"owner": "acme", "repo": "widgets", "pr_number": 2, "comment_id": comment},
        )
        after = await agent.context()
    assert first == again
    assert after["threads"]["data"]["unresolved"] == 1


@pytest.mark.requirement("bridge.work-parallel")
async def test_no_part_waits_for_another_that_it_does_not_need(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Four parts are underway before any vendor has answered one, and the to-do before the rest.

    The to-do is known by the pull request's text alone: it is asked for while all others wait.
    """
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
        asyncio.timeout(20),
    ):
        pulls = github.faults.hold("GET", PULL, times=3)
        threads = github.faults.hold("POST", "/graphql")
        issue = here.jira.faults.hold("GET", "/rest/api/*/issue/*")
        checks = github.faults.hold("GET", "*/actions/runs*")
        todo = here.basecamp.faults.hold("GET", "*/todos/*")
        async with asyncio.TaskGroup() as tasks:
            asked = tasks.create_task(agent.context())
            for gate, by in ((pulls, 2), (threads, 1), (issue, 1)):
                await gate.reached(by)
            pulls.release()
            await checks.reached()
            await todo.reached()
            assert (threads.waiting, issue.waiting) == (1, 1)
            for gate in (threads, issue, checks, todo):
                gate.release()
        assert all(asked.result()[part]["available"] for part in PARTS)


@pytest.mark.requirement("bridge.work-found")
async def test_what_twig_does_not_link_is_found(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The pull request by its branch, the issue by the title's key, the to-do by the issue's text.

    CI is asked for at the commit here at once, and again where that is not the pull request's.
    """
    made = linked_checkout(tmp_path, number=None, issue=None)
    async with work(github, monkeypatch, made) as here, here.worker() as agent:
        here.pull.title, here.pull.body = "WID-2: Tighten the screws", "Fixes #1."
        here.issue.description = f"As planned: {here.link}"
        found = await agent.context()
        named = await agent.context(BRANCH)
    assert all(found[part]["available"] for part in PARTS)
    assert found["pull_request"]["data"]["number"] == 2
    assert found["ci"]["data"]["head_sha"] == found["pull_request"]["data"]["head_sha"]
    assert found["jira"]["data"]["key"] == "WID-2"
    assert found["todo"]["data"]["title"] == "Write the release notes"
    assert named == found


@pytest.mark.requirement("bridge.work-found")
async def test_ci_of_the_commit_here_is_told_when_it_is_the_pull_requests(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Once: the commit that is checked out was pushed."""
    made = linked_checkout(tmp_path, number=None)
    async with work(github, monkeypatch, made) as here, here.worker() as agent:
        sha = made.git("rev-parse", BRANCH)
        assert here.pull.pull is not None
        ci = here.mesh.demo.repository.ci
        ci.commits[sha] = ci.commits[here.pull.pull.head_sha]
        here.pull.pull.head_sha = sha
        ci.add_run(sha, conclusion="success", branch=BRANCH)
        found = await agent.context()
        asked = [one for one in here.router.spans if one.name == "tools/call get_ci_status"]
    assert (found["ci"]["data"]["verdict"], found["ci"]["data"]["head_sha"]) == ("passing", sha)
    assert len({span.trace_id for span in asked}) == 1
    assert len(github.requests.matching("GET", f"*/commits/{sha}")) == 1


@pytest.mark.requirement("bridge.work-found", "bridge.work-degrades")
async def test_a_branch_without_anything_has_its_own_part_alone(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each other part is NOT_FOUND, and says what is missing."""
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        found = await agent.context("unlinked")
    assert found["branch"]["data"]["branch"] == "unlinked"
    for part in PARTS[1:]:
        assert (found[part]["available"], found[part]["error_code"]) == (False, "NOT_FOUND")
        assert found[part]["message"]


@pytest.mark.requirement("bridge.work-found")
async def test_a_detached_head_is_told_as_one(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No branch, so no pull request; CI of the commit is asked for."""
    made = linked_checkout(tmp_path)
    made.git("checkout", "--quiet", "--detach")
    async with work(github, monkeypatch, made) as here, here.worker() as agent:
        sha = made.git("rev-parse", "HEAD")
        ci = here.mesh.demo.repository.ci
        ci.commits[sha] = here.pull.created_at
        ci.add_run(sha, conclusion="success", branch="main")
        found = await agent.context()
    assert found["branch"]["data"]["detached"] is True
    assert "branch" not in found["branch"]["data"]
    assert found["ci"]["data"]["verdict"] == "passing"
    assert found["pull_request"]["error_code"] == "NOT_FOUND"


@pytest.mark.requirement("bridge.work-found")
async def test_a_branch_that_nobody_knows_is_refused_as_such(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """BRANCH_NOT_FOUND with the nearest; what can be no branch is INVALID_INPUT.

    A branch that only GitHub knows has all but its own part.
    """
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        unknown = await agent.refused("tighten-screw")
        unusable = await agent.refused("a..b")
        here.mesh.demo.repository.add_pull("There", github.state.users["bob"], head="there-only")
        there = await agent.context("there-only")
    assert unknown["error_code"] == "BRANCH_NOT_FOUND"
    assert BRANCH in unknown["hint"]
    assert unusable["error_code"] == "INVALID_INPUT"
    assert there["branch"]["error_code"] == "BRANCH_NOT_FOUND"
    assert there["pull_request"]["data"]["title"] == "There"
    assert there["threads"]["data"]["unresolved"] == 0
