"""A branch's context with what the other servers know, through a real router."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError

from tests.interaction.composing import (
    CI,
    ISSUE,
    PULL,
    Says,
    Voices,
    composed,
    fails,
    never,
    reader,
    says,
    servers_of,
)
from trunkline_shared.errors import (
    BlockedByPolicy,
    CredentialsMissing,
    NotFound,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio

PARTS = ("pull_request", "ci", "jira")
TOOL_OF = {"pull_request": "get_pr_status", "ci": "get_ci_status", "jira": "get_jira_issue"}
HERE = {"owner": "acme", "repo": "widgets"}


def with_voice(part: str, voice: Says) -> Voices:
    """Return servers of which the one that has a part says this."""
    voices = Voices()
    setattr(voices, TOOL_OF[part], voice)
    return voices


@pytest.fixture
def linked(tmp_path: Path) -> GitRepository:
    """`feature/login` is current, and linked to PROJ-1 and pull request 41 of acme/widgets."""
    made = GitRepository.at(tmp_path)
    made.branch("feature/login", "feature/proj-12-title", "cleanup")
    made.switch("feature/login")
    made.git("remote", "add", "origin", "git@github.com:acme/widgets.git")
    made.twig(
        twig_state(
            branches={"feature/login": ("PROJ-1", 41)}, dependencies=[("feature/login", "main")]
        )
    )
    return made


@pytest.mark.requirement("twig.context-composed")
async def test_a_context_holds_pull_request_ci_and_issue(linked: GitRepository) -> None:
    """Each part trimmed to what a summary needs; the calls name the checkout's repository."""
    voices = Voices()
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context("feature/login")
    assert found["branch"]["issue_key"] == "PROJ-1"
    assert all(found[part]["available"] for part in PARTS)
    assert all(found[part]["error_code"] is None for part in PARTS)
    pull, ci, jira = (found[part]["data"] for part in PARTS)
    assert (pull["number"], pull["title"], pull["state"]) == (41, "Add login", "open")
    assert (pull["review_decision"], pull["reviews"][0]["author"]) == ("approved", "bob")
    assert "checks" not in pull
    assert (ci["verdict"], [each["name"] for each in ci["failed"]]) == ("failing", ["test (3.11)"])
    assert [each["name"] for each in ci["pending"]] == ["lint", "preview"]
    assert (jira["key"], jira["status"], jira["assignee"]) == (
        "PROJ-1", "In Progress", "Ada Lovelace",
    )  # fmt: skip
    assert "comments" not in jira
    assert sorted(voices.asked) == [
        ("get_ci_status", {**HERE, "pr_number": 41}),
        ("get_jira_issue", {"issue_key": "PROJ-1"}),
        ("get_pr_status", {**HERE, "pr_number": 41}),
    ]


@pytest.mark.requirement("twig.context-composed")
async def test_a_branch_without_links_is_found_by_its_name(linked: GitRepository) -> None:
    """The pull request by its head, CI of that pull request, the issue by the key in the name."""
    of_branch = {"pull_request": PULL["pull_request"] | {"head": "feature/proj-12-title"}}
    voices = Voices(get_pr_status=says(PULL | of_branch))
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context("feature/proj-12-title")
    assert all(found[part]["available"] for part in PARTS)
    assert voices.asked_of("get_pr_status") == [{**HERE, "branch": "feature/proj-12-title"}]
    assert voices.asked_of("get_ci_status") == [{**HERE, "pr_number": 41}]
    assert voices.asked_of("get_jira_issue") == [{"issue_key": "PROJ-12"}]


@pytest.mark.requirement("twig.context-composed")
async def test_without_a_pull_request_ci_is_that_of_the_commit(linked: GitRepository) -> None:
    """And what there is not is said to be not there."""
    voices = Voices(get_pr_status=fails(NotFound("No open pull request comes from it.")))
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context("cleanup")
    sha = linked.git("rev-parse", "cleanup")
    assert voices.asked_of("get_ci_status") == [{**HERE, "ref": sha}]
    assert found["ci"]["available"]
    assert found["pull_request"]["error_code"] == "NOT_FOUND"
    assert found["jira"]["error_code"] == "NOT_FOUND"
    assert voices.asked_of("get_jira_issue") == []


@pytest.mark.requirement("twig.context-composed")
async def test_the_branch_of_a_fork_is_asked_for_with_its_owner(linked: GitRepository) -> None:
    """The pull request is upstream's, the branch is pushed to the fork."""
    linked.git("remote", "add", "upstream", "https://github.com/Widgets-Inc/widgets")
    sha = linked.git("rev-parse", "cleanup")
    linked.track("cleanup", sha)
    of_fork = {"pull_request": PULL["pull_request"] | {"head": "acme:cleanup"}}
    voices = Voices(get_pr_status=says(PULL | of_fork))
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context("cleanup")
    assert found["pull_request"]["available"]
    assert voices.asked_of("get_pr_status") == [
        {"owner": "Widgets-Inc", "repo": "widgets", "branch": "acme:cleanup"}
    ]


@pytest.mark.requirement("twig.context-composed")
async def test_the_configured_repository_goes_before_the_remotes(linked: GitRepository) -> None:
    """And where neither tells, the router may know."""
    voices = Voices()
    async with (
        composed(linked, servers_of(voices), github_repository="acme/gears") as mesh,
        reader(mesh.mcp) as agent,
    ):
        await agent.context("feature/login")
    assert voices.asked_of("get_ci_status") == [{"owner": "acme", "repo": "gears", "pr_number": 41}]
    voices.asked.clear()
    async with (
        composed(linked, servers_of(voices), github_api_url="https://ghe.example/api/v3") as mesh,
        reader(f"{mesh.mcp}?owner=acme&repo=bolts&pr_number=41") as agent,
    ):
        await agent.context("feature/login")
    assert voices.asked_of("get_ci_status") == [{"owner": "acme", "repo": "bolts", "pr_number": 41}]


FAILURES: Mapping[str, tuple[TrunklineError, bool]] = {
    "NOT_FOUND": (NotFound("There is none."), False),
    "UPSTREAM_UNAVAILABLE": (UpstreamUnavailable("The vendor failed."), True),
    "CREDENTIALS_MISSING": (CredentialsMissing("No token.", hint="Set TOKEN."), False),
    "BLOCKED_BY_POLICY": (BlockedByPolicy("Not here."), False),
}


@pytest.mark.requirement("twig.context-degrades")
@pytest.mark.parametrize("code", FAILURES)
@pytest.mark.parametrize("part", PARTS)
async def test_a_part_that_fails_costs_only_itself(
    linked: GitRepository, part: str, code: str
) -> None:
    """It says why, and whether asking again may help; the others are there."""
    error, retryable = FAILURES[code]
    voices = with_voice(part, fails(error))
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context(".")
    for each in PARTS:
        assert found[each]["available"] is (each != part)
    missing = found[part]
    assert (missing["error_code"], missing["message"]) == (code, error.message)
    assert (missing["hint"], missing["retryable"]) == (error.hint, retryable)
    assert missing["data"] is None


@pytest.mark.requirement("twig.context-degrades", "router.delegation-narrow")
@pytest.mark.parametrize("part", PARTS)
async def test_a_slow_part_is_given_up_alone_and_does_not_live_on(
    linked: GitRepository, part: str
) -> None:
    """The others are there in time, and the slow server's call is cancelled."""
    voices = with_voice(part, never)
    async with (
        composed(linked, servers_of(voices), part_s=3) as mesh,
        reader(mesh.mcp) as agent,
    ):
        found = await agent.context(".")
        for each in PARTS:
            assert found[each]["available"] is (each != part)
        assert (found[part]["error_code"], found[part]["retryable"]) == ("TIMEOUT", True)
    assert voices.left == [TOOL_OF[part]]


@pytest.mark.requirement("twig.context-degrades")
@pytest.mark.parametrize(
    ("part", "server"), [("pull_request", "github"), ("ci", "github_ci"), ("jira", "jira")]
)
async def test_a_server_that_the_mesh_does_not_have_costs_only_its_part(
    linked: GitRepository, part: str, server: str
) -> None:
    """UNSUPPORTED, and the others are there."""
    known = {id_: each for id_, each in servers_of(Voices()).items() if id_ != server}
    async with composed(linked, known) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context(".")
    for each in PARTS:
        assert found[each]["available"] is (each != part)
    assert found[part]["error_code"] == "UNSUPPORTED"
    assert TOOL_OF[part] in found[part]["message"]


@pytest.mark.requirement("twig.context-degrades")
async def test_an_answer_of_another_form_costs_only_its_part(linked: GitRepository) -> None:
    """A foreign server under a known name is not believed."""
    voices = Voices(get_jira_issue=says({"issue": ISSUE}), get_ci_status=says({"runs": 7}))
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context(".")
    assert found["pull_request"]["available"]
    assert found["jira"]["error_code"] == found["ci"]["error_code"] == "UPSTREAM_UNAVAILABLE"


@pytest.mark.requirement("twig.context-degrades", "router.delegation-narrow")
async def test_the_rules_of_the_callers_context_hold_for_each_part(linked: GitRepository) -> None:
    """A branch whose pull request is another one: those parts are blocked, the issue is there.

    CI is offered only where a pull request is bound, or nothing is.
    """
    voices = Voices()
    async with composed(linked, servers_of(voices)) as mesh:
        async with reader(f"{mesh.mcp}?owner=acme&repo=widgets&pr_number=7") as agent:
            found = await agent.context("feature/login")
            unlinked = await agent.context("feature/proj-12-title")
        async with reader(f"{mesh.mcp}?owner=evil&repo=widgets&pr_number=41") as agent:
            elsewhere = await agent.context("feature/login")
        async with reader(f"{mesh.mcp}?owner=acme&repo=widgets") as agent:
            unoffered = await agent.context("feature/login")
        async with reader(f"{mesh.mcp}?issue_key=PROJ-2") as agent:
            other_issue = await agent.context("feature/login")
    blocked = {
        "pull_request ci": [found, elsewhere],
        "pull_request": [unlinked],
        "ci": [unoffered],
        "ci jira": [other_issue],
    }
    for parts, contexts in blocked.items():
        for each in contexts:
            codes = {part: each[part]["error_code"] for part in PARTS}
            assert codes == {
                part: "BLOCKED_BY_POLICY" if part in parts.split() else None for part in PARTS
            }
    assert voices.asked_of("get_jira_issue")[0] == {"issue_key": "PROJ-1"}


@pytest.mark.requirement("router.delegation-narrow")
async def test_a_context_of_one_branch_reads_no_other(linked: GitRepository) -> None:
    """As the tools do, the resource refuses as a whole."""
    async with (
        composed(linked, servers_of(Voices())) as mesh,
        reader(f"{mesh.mcp}?branch=feature/login") as agent,
    ):
        found = await agent.context("feature/login")
        with pytest.raises(MCPError) as caught:
            await agent.context("main")
    assert found["pull_request"]["available"]
    assert caught.value.error.data["error_code"] == "BLOCKED_BY_POLICY"


async def test_what_strangers_wrote_is_cut_and_rid_of_what_nobody_sees(
    linked: GitRepository,
) -> None:
    """A text of any length, with characters that hide others."""
    pull = PULL["pull_request"] | {"title": "x\u202e\u200b\ny" * 500, "body": "z" * 100_000}
    checks = [{"name": f"c{n}", "status": "x", "conclusion": "failure"} for n in range(300)]
    voices = Voices(
        get_pr_status=says(PULL | {"pull_request": pull}),
        get_ci_status=says(CI | {"checks": checks}),
    )
    async with composed(linked, servers_of(voices)) as mesh, reader(mesh.mcp) as agent:
        found = await agent.context(".")
    title = found["pull_request"]["data"]["title"]
    assert title.startswith("x yx yx y")
    assert len(title) == 200
    assert len(found["pull_request"]["data"]["body"]) == 600
    assert len(found["ci"]["data"]["failed"]) == 10
    assert found["ci"]["data"]["failed_count"] == 300
