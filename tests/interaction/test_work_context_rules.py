"""The work at hand under the rules of a caller, without a checkout, and where parts fail."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interaction import keys
from tests.interaction.working import BRANCH, PARTS, Work, linked_checkout, work
from trunkline_shared.testing.github import AnswerWith, GitHubStandIn

pytestmark = pytest.mark.anyio

BOUND = "?owner=acme&repo=widgets&pr_number=2"
DOWN = AnswerWith(status=503, body="down")
SERVER_OF = {
    "branch": "twig",
    "pull_request": "github",
    "ci": "github_ci",
    "threads": "github_inline_comment",
    "jira": "jira",
    "todo": "basecamp",
}


def codes(found: dict[str, Any]) -> dict[str, str]:
    """Return why parts are missing, of those that are."""
    return {part: found[part]["error_code"] for part in PARTS if not found[part]["available"]}


def github_down(here: Work) -> None:
    here.mesh.github.faults.add(DOWN, "GET", "/repos/acme/widgets/pulls/2", times=math.inf)


def threads_down(here: Work) -> None:
    here.mesh.github.faults.add(DOWN, "POST", "/graphql", times=math.inf)


def jira_down(here: Work) -> None:
    here.jira.faults.add(DOWN, times=math.inf)


def basecamp_down(here: Work) -> None:
    here.basecamp.faults.add(DOWN, times=math.inf)


@pytest.mark.requirement("bridge.work-degrades")
@pytest.mark.parametrize(
    ("broken", "missing"),
    [
        (threads_down, {"threads"}),
        (jira_down, {"jira"}),
        (basecamp_down, {"todo"}),
        (github_down, {"pull_request", "ci"}),
    ],
)
async def test_a_vendor_that_is_down_costs_only_its_parts(
    github: GitHubStandIn,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    broken: Callable[[Work], None],
    missing: set[str],
) -> None:
    """They say why and that asking again may help; the to-do is then found by the issue."""
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        here.issue.description = f"See {here.link}"
        broken(here)
        found = await agent.context()
    assert codes(found) == dict.fromkeys(missing, "UPSTREAM_UNAVAILABLE")
    for part in missing:
        assert found[part]["retryable"] is True
        assert found[part]["message"]


@pytest.mark.requirement("bridge.work-degrades")
async def test_a_server_that_a_key_may_not_use_costs_only_its_part(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The delegated rights are the caller's own; without twig the branch's name leads."""
    narrow = [
        keys.entry(server.replace("_", "-"), deny=[f"mcp__{server}__*"])
        for server in SERVER_OF.values()
    ]
    codes_of: dict[str, dict[str, str]] = {}
    async with work(
        github, monkeypatch, linked_checkout(tmp_path), configured={"keys": narrow}
    ) as here:
        here.issue.description = f"See {here.link}"
        here.pull.title = "WID-2: Tighten"
        for part, server in SERVER_OF.items():
            async with here.worker(key=server.replace("_", "-")) as agent:
                codes_of[part] = codes(await agent.context(BRANCH))
    assert codes_of == {part: {part: "UNSUPPORTED"} for part in PARTS}


@pytest.mark.requirement("bridge.work-degrades")
async def test_credentials_that_are_missing_cost_only_their_vendors_parts(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The variable to set is named."""
    async with work(github, monkeypatch, linked_checkout(tmp_path)) as here:
        here.issue.description = f"See {here.link}"
        monkeypatch.delenv("GITHUB_TOKEN")
        monkeypatch.setenv("PATH", "/nonexistent")
        async with here.worker() as agent:
            found = await agent.context()
    assert codes(found) == dict.fromkeys(("pull_request", "ci", "threads"), "CREDENTIALS_MISSING")
    assert "GITHUB_TOKEN" in str(found["threads"])


@pytest.mark.requirement("bridge.work-bound")
async def test_under_a_bound_pull_request_the_work_is_that_one(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever is checked out; another branch is refused, and so is another pull request's."""
    made = linked_checkout(tmp_path)
    async with work(github, monkeypatch, made) as here:
        here.mesh.demo.repository.add_pull("Other", github.state.users["bob"], head="other")
        async with here.worker(BOUND) as agent:
            current = await agent.context()
            made.switch("other")
            elsewhere = await agent.context()
            refused = await agent.refused("other")
        number = max(here.mesh.demo.repository.issues)
        async with here.worker(f"?owner=acme&repo=widgets&pr_number={number}") as agent:
            other = await agent.context()
            mismatch = await agent.refused(BRANCH)
    assert current == elsewhere | {"branch": current["branch"]}
    assert current["branch"]["data"]["branch"] == elsewhere["branch"]["data"]["branch"] == BRANCH
    assert not codes(current)
    assert refused["error_code"] == "BLOCKED_BY_POLICY"
    assert other["pull_request"]["data"]["title"] == "Other"
    assert other["branch"]["data"]["branch"] == "other"
    assert mismatch["error_code"] == "BLOCKED_BY_POLICY"


@pytest.mark.requirement("bridge.work-bound")
async def test_another_repositorys_pull_request_of_the_same_number_is_not_the_branchs(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What twig links is of the checkout's own repository, whichever a caller asks about."""
    async with work(github, monkeypatch, linked_checkout(tmp_path)) as here:
        gadgets, bob = github.state.add_repository("acme/gadgets"), github.state.users["bob"]
        gadgets.add_issue("First", bob)
        strange = gadgets.add_pull("Strange", bob, head="strange", body=here.link)
        assert strange.number == here.pull.number
        async with here.worker() as agent:
            found = await agent.context(repo="gadgets")
    assert codes(found) == dict.fromkeys(("pull_request", "ci", "threads", "todo"), "NOT_FOUND")
    assert "acme/gadgets" in found["pull_request"]["message"]
    assert found["jira"]["data"]["key"] == "WID-2"


@pytest.mark.requirement("bridge.work-unled")
async def test_without_a_checkout_the_branch_or_the_bound_pull_request_leads(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As in a cluster without twig; where nothing leads, the answer says what to pass."""
    made = linked_checkout(tmp_path)
    async with work(github, monkeypatch, made, served=False) as here:
        here.pull.title = "WID-2: Tighten the screws"
        async with here.worker() as agent:
            named = await agent.context(BRANCH)
            unled = await agent.refused()
        async with here.worker(BOUND) as agent:
            bound = await agent.context()
    assert codes(named) == codes(bound) == {"branch": "UNSUPPORTED"}
    assert named["jira"]["data"]["key"] == bound["jira"]["data"]["key"] == "WID-2"
    assert unled["error_code"] == "INVALID_INPUT"
    assert "Pass branch" in unled["hint"]


@pytest.mark.requirement("bridge.work-degrades")
async def test_who_may_not_list_pull_requests_finds_that_of_the_branch(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its state is asked for by the branch, and the rest by its number."""
    narrow = keys.entry("narrow", deny=["mcp__github__list_*"])
    made = linked_checkout(tmp_path, number=None)
    async with (
        work(github, monkeypatch, made, configured={"keys": [narrow]}) as here,
        here.worker(key="narrow") as agent,
    ):
        assert not codes(await agent.context())


@pytest.mark.requirement("bridge.work-tokens")
async def test_whatever_people_write_it_keeps_within_its_tokens(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Three hundred threads, long bodies, hidden characters; what is left out is counted."""
    async with (
        work(github, monkeypatch, linked_checkout(tmp_path)) as here,
        here.worker() as agent,
    ):
        alice, hostile = github.state.users["alice"], '\u202e\U0001f600\x01"\\\n' * 4000
        here.pull.title, here.issue.summary = hostile[:200], hostile[:200]
        here.pull.body = here.issue.description = here.link + hostile
        here.todo.content, here.todo.description = "\U0001f600" * 900, "<div>x</div>" * 900
        for _ in range(298):
            here.pull.add_review_comment(hostile[:2000], alice, path="src/" + "x" * 300, line=1)
        assert here.pull.pull is not None
        for number in range(120):
            here.mesh.demo.repository.ci.add_check(
                here.pull.pull.head_sha, f"{number} {hostile[:150]}", conclusion="failure"
            )
        found = await agent.context()
        least = await agent.context(max_tokens=300)
        most = await agent.context(max_tokens=6000)
    assert not codes(found)
    for context, tokens, size in zip(
        (found, least, most), (1500, 300, 6000), agent.sizes, strict=True
    ):
        assert size <= 4 * tokens
        assert "\u202e" not in str(context)
        threads, failed = context["threads"]["data"], context["ci"]["data"]
        shown = len(threads.get("threads", ()))
        assert (threads["unresolved"], context["left_out"]["threads"]) == (300, 300 - shown)
        assert context["left_out"]["failed"] == failed["failed_count"] - len(
            failed.get("failed", ())
        )
    assert found["left_out"]["characters"] > 0
    assert len(most["threads"]["data"]["threads"]) == 10
