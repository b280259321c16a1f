"""A review agent's job from the first look to the verdict, through the whole mesh."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.interaction.github_mesh import GitHubMesh, agent, github_mesh
from trunkline_shared.client import build_mcp_servers
from trunkline_shared.testing.git_repository import GitRepository
from trunkline_shared.testing.github import GitHubStandIn

pytestmark = pytest.mark.anyio

REPOSITORY = {"owner": "acme", "repo": "widgets"}


@pytest.fixture
async def mesh(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[GitHubMesh]:
    """The mesh as a team runs it."""
    async with github_mesh(github, monkeypatch) as running:
        yield running


@pytest.mark.requirement("review.job")
async def test_an_agent_reviews_a_pull_request_with_the_servers_of_its_job(
    mesh: GitHubMesh,
) -> None:
    """A line outside the diff, the one retry, why CI fails, a review, a progress comment."""
    servers = build_mcp_servers(mesh.router.url, "acme", "widgets", pr_number=2)
    async with (
        agent(str(servers["github_inline_comment"]["url"])) as reviewer,
        agent(str(servers["github_ci"]["url"])) as watcher,
        agent(str(servers["github_comment"]["url"])) as reporter,
    ):
        outside = await reviewer.refused(
            "create_inline_comment", path="src/screws.py", line=400, body="Why?"
        )
        nearest = outside["details"]["nearest"]
        line = nearest["line"] if isinstance(nearest, dict) else nearest
        posted = await reviewer.call(
            "create_inline_comment", path="src/screws.py", line=line, body="Why?"
        )
        status = await watcher.call("get_ci_status")
        run = next(one for one in status["runs"] if one["conclusion"] == "failure")
        failed = await watcher.call("get_failed_logs", run_id=run["id"])
        review = await reviewer.call(
            "create_review",
            comments=[{"path": "docs/screws.md", "line": 3, "body": "Which screws?"}],
            body="One test fails.",
            event="REQUEST_CHANGES",
        )
        report = await reporter.call("upsert_comment", marker="review", body="Reviewed.")
    assert outside["error_code"] == "LINE_NOT_IN_DIFF"
    assert (posted["success"], posted["path"], posted["line"]) == (True, "src/screws.py", line)
    assert status["summary"]["verdict"] == "failing"
    assert "LockedScrew" in str(failed)
    assert review["state"] == "CHANGES_REQUESTED"
    assert report["action"] == "created"


@pytest.mark.requirement("review.job")
async def test_a_job_of_an_issue_has_the_comment_server_alone(mesh: GitHubMesh) -> None:
    """Without a pull request the two others offer nothing at the whole mesh's URL either."""
    assert list(build_mcp_servers(mesh.router.url, "acme", "widgets")) == ["github_comment"]
    async with agent(f"{mesh.router.mcp}?owner=acme&repo=widgets") as whole:
        names = set(await whole.tools())
    assert "update_comment" in names
    assert not names & {"create_inline_comment", "get_ci_status", "get_workflow_run_details"}


@pytest.mark.requirement("review.job")
async def test_a_job_reaches_no_other_pull_request_by_the_ids_of_its_things(
    mesh: GitHubMesh,
) -> None:
    """Comment, review comment, thread, run and job of another pull request are all refused."""
    other = mesh.demo.repository.add_pull("Other", mesh.demo.token.user, head="other")
    assert other.pull is not None
    comment = other.add_comment("Mine.", mesh.demo.token.user)
    remark = other.add_review_comment("Mine.", mesh.demo.token.user, path="x", line=1)
    run = mesh.demo.repository.ci.add_run(other.pull.head_sha, branch="other", conclusion="failure")
    job = run.attempt.jobs[0]
    async with agent(f"{mesh.router.mcp}?owner=acme&repo=widgets&pr_number=2") as bound:
        codes = [
            (await bound.refused(tool, **arguments))["error_code"]
            for tool, arguments in (
                ("update_comment", {"commentId": comment.id, "body": "x"}),
                ("update_comment", {"commentId": remark.id, "body": "x"}),
                ("reply_to_review_comment", {"comment_id": remark.id, "body": "x"}),
                ("resolve_thread", {"comment_id": remark.id}),
                ("get_workflow_run_details", {"run_id": run.id}),
                ("get_failed_logs", {"run_id": run.id}),
                ("get_job_log", {"job_id": job.id}),
            )
        ]
    assert codes == ["BLOCKED_BY_POLICY"] * 7
    assert comment.body == remark.body == "Mine."


@pytest.mark.requirement("review.laptop")
async def test_on_a_laptop_a_read_is_about_the_branch_that_is_checked_out(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The pull request is found by its head; a write still has to say which."""
    checkout = GitRepository.at(tmp_path)
    checkout.git("switch", "--quiet", "--create", "tighten-screws")
    for name, value in checkout.environment.items():
        monkeypatch.setenv(name, value)
    async with (
        github_mesh(
            github,
            monkeypatch,
            checkout=checkout.path,
            github_repository="acme/widgets",
            local_defaults=True,
        ) as mesh,
        agent(mesh.router.mcp) as whole,
    ):
        pull = await whole.call("get_pull_request")
        status = await whole.call("get_pr_status")
        checks = await whole.call("get_ci_status")
        diff = await whole.call("github_get_pr_diff")
        refused = await whole.refused("create_inline_comment", path="x", line=1, body="x")
    assert (pull["number"], pull["head"]) == (2, "tighten-screws")
    assert status["pull_request"]["number"] == 2
    assert checks["summary"]["verdict"] == "failing"
    assert "screw.lock()" in diff["diff"]
    assert refused["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("review.credentials")
async def test_without_a_token_every_tool_says_so_before_anything_else(
    mesh: GitHubMesh, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CREDENTIALS_MISSING naming GITHUB_TOKEN, from a tool of each server."""
    monkeypatch.delenv("GITHUB_TOKEN")
    monkeypatch.setenv("PATH", "/nonexistent")
    async with agent(mesh.router.mcp) as whole:
        for tool, arguments in (
            ("list_comments", {"issue_number": 1}),
            ("get_commentable_lines", {"pr_number": 2}),
            ("get_ci_status", {"pr_number": 2}),
            ("github_list_issues", {}),
        ):
            refused = await whole.refused(tool, **arguments)
            assert refused["error_code"] == "CREDENTIALS_MISSING"
            assert "GITHUB_TOKEN" in str(refused)
