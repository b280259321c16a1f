"""The tools of branch-context through a real client, over repositories made here."""

from pathlib import Path

import pytest

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.testing.git_repository import CREATED_AT, GitRepository, twig_state

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """One commit on main."""
    return GitRepository.at(tmp_path)


@pytest.fixture
def stacked(repository: GitRepository) -> GitRepository:
    """main <- feature/login <- feature/oauth (current), with issue and pull request."""
    repository.branch("feature/login", "feature/oauth", "stray")
    repository.switch("feature/oauth")
    repository.twig(
        twig_state(
            branches={"feature/login": ("PROJ-1", 41), "feature/oauth": ("PROJ-2", 42)},
            dependencies=[("feature/login", "main"), ("feature/oauth", "feature/login")],
            roots=[("main", True)],
        )
    )
    return repository


async def test_the_current_branch_has_what_twig_links_to_it(stacked: GitRepository) -> None:
    """Issue, pull request, parent and creation time come from the state, under the seed's names."""
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_current_branch")
    assert answer["branch"] == "feature/oauth"
    assert answer["jira_issue"] == "PROJ-2"
    assert answer["pr_number"] == 42
    assert answer["parent_branch"] == "feature/login"
    assert answer["created_at"] == CREATED_AT
    assert answer["tracked"] is True
    assert answer["head_sha"] == stacked.git("rev-parse", "HEAD")
    assert answer["detached"] is False


async def test_the_current_branch_is_known_without_any_state(repository: GitRepository) -> None:
    """No twig state is an empty state, not an error."""
    async with checkout_client(repository) as twig:
        answer = await twig.ask("get_current_branch")
    assert answer["branch"] == "main"
    assert answer["jira_issue"] is None
    assert answer["pr_number"] is None
    assert answer["tracked"] is False
    assert answer["dirty"] is False


async def test_a_modified_tracked_file_makes_the_checkout_dirty(repository: GitRepository) -> None:
    """Dirty speaks of tracked files; the index is left as it was."""
    repository.write("a.txt", "one")
    index = (repository.path / ".git" / "index").read_bytes()
    async with checkout_client(repository) as twig:
        assert (await twig.ask("get_current_branch"))["dirty"] is True
    assert (repository.path / ".git" / "index").read_bytes() == index


async def test_ahead_and_behind_are_counted_from_the_upstream(repository: GitRepository) -> None:
    """One commit that upstream lacks, two that it has."""
    fork = repository.git("rev-parse", "HEAD")
    repository.commit("theirs 1")
    theirs = repository.commit("theirs 2")
    repository.git("reset", "--quiet", "--hard", fork)
    repository.commit("ours")
    repository.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    repository.track("main", theirs)
    async with checkout_client(repository) as twig:
        current = await twig.ask("get_current_branch")
        repository.branch("other")
        repository.switch("other")
        named = await twig.ask("get_branch_metadata", branch="main")
    for answer in (current, named):
        assert answer["upstream"] == "origin/main"
        assert (answer["ahead"], answer["behind"]) == (1, 2)
    assert named["dirty"] is None


async def test_an_upstream_that_is_gone_leaves_the_counts_unknown(
    repository: GitRepository,
) -> None:
    """A configured upstream without its reference is named, and nothing is counted."""
    repository.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    repository.track("main", repository.git("rev-parse", "HEAD"))
    repository.git("update-ref", "-d", "refs/remotes/origin/main")
    async with checkout_client(repository) as twig:
        answer = await twig.ask("get_current_branch")
    assert answer["upstream"] == "origin/main"
    assert answer["ahead"] is None


async def test_metadata_takes_a_dot_for_the_current_branch(stacked: GitRepository) -> None:
    """A dot means the branch that is checked out."""
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_branch_metadata", branch=".")
    assert answer["branch"] == "feature/oauth"
    assert answer["current"] is True
    assert answer["exists_locally"] is True


async def test_an_unknown_branch_is_answered_with_close_names(stacked: GitRepository) -> None:
    """BRANCH_NOT_FOUND names what was probably meant."""
    async with checkout_client(stacked) as twig:
        error = await twig.refused("get_branch_metadata", branch="feature/logn")
    assert error["error_code"] == "BRANCH_NOT_FOUND"
    assert error["details"]["close_names"][0] == "feature/login"
    assert "feature/login" in error["hint"]


@pytest.mark.requirement("branch.stale")
async def test_a_branch_that_git_lost_is_still_described(stacked: GitRepository) -> None:
    """Stale branches: deleted in git, still in the state."""
    stacked.git("update-ref", "-d", "refs/heads/feature/login")
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_branch_metadata", branch="feature/login")
        stack = await twig.ask("get_branch_stack")
        listed = await twig.ask("list_branches")
        error = await twig.refused("get_branch_tree", branch="feature/login")
    assert answer["exists_locally"] is False
    assert answer["pr_number"] == 41
    assert [step["exists_locally"] for step in stack["stack"]] == [True, False, True]
    assert [each["exists_locally"] for each in listed["branches"]] == [False, True]
    assert error["error_code"] == "BRANCH_NOT_FOUND"
    assert error["details"]["reason"] == "not_in_git"


@pytest.mark.requirement("branch.tree-text")
async def test_the_tree_is_drawn_as_twig_draws_it(stacked: GitRepository) -> None:
    """Plain style, letter for letter, with an orphan under the default root."""
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_branch_tree")
    assert answer["root"] == "main"
    assert answer["tree_text"].splitlines() == [
        "main",
        "├── feature/login (PROJ-1, #41)",
        "│   └── feature/oauth (PROJ-2, #42)",
        "└── stray †",
    ]
    by_name = {each["branch"]: each for each in answer["branches"]}
    assert by_name["main"]["children"] == ["feature/login", "stray"]
    assert by_name["stray"]["orphan"] is True
    assert by_name["feature/oauth"]["current"] is True
    assert (by_name["feature/oauth"]["ahead"], by_name["feature/oauth"]["behind"]) == (0, 0)


async def test_a_subtree_is_drawn_from_the_branch_asked_for(stacked: GitRepository) -> None:
    """The branch asked for is the root; depth cuts what lies below and says how much."""
    async with checkout_client(stacked) as twig:
        below = await twig.ask("get_branch_tree", branch="feature/login")
        cut = await twig.ask("get_branch_tree", max_depth=1, include_orphans=False)
    assert below["tree_text"].splitlines() == [
        "feature/login (PROJ-1, #41)",
        "└── feature/oauth (PROJ-2, #42)",
    ]
    assert cut["tree_text"].splitlines() == ["main", "└── feature/login (PROJ-1, #41)"]
    assert cut["not_shown"] == 1


async def test_columns_are_aligned_as_on_the_command_line(stacked: GitRepository) -> None:
    """The other style has issue, pull request and divergence in columns."""
    stacked.commit("work")
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_branch_tree", style="columns", include_orphans=False)
    assert answer["tree_text"].splitlines() == [
        "main",
        "└── feature/login                [PROJ-1]    [PR#41]     [up-to-date]",
        "    └── feature/oauth (current)  [PROJ-2]    [PR#42]     [+1]",
    ]


async def test_the_stack_leads_from_the_branch_to_its_root(stacked: GitRepository) -> None:
    """Index 0 is the branch, the last is the root, each with its links."""
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_branch_stack")
        from_below = await twig.ask("get_branch_stack", branch="feature/login")
    assert [step["branch"] for step in answer["stack"]] == [
        "feature/oauth",
        "feature/login",
        "main",
    ]
    assert answer["stack"][1]["jira_issue"] == "PROJ-1"
    assert answer["cycle"] is False
    assert [step["branch"] for step in from_below["stack"]] == ["feature/login", "main"]


async def test_branches_are_listed_by_name(stacked: GitRepository) -> None:
    """Tracked ones; all on request; with the fields asked for only."""
    async with checkout_client(stacked) as twig:
        tracked = await twig.ask("list_branches")
        every = await twig.ask("list_branches", include_untracked=True, fields=["branch"])
    assert [each["branch"] for each in tracked["branches"]] == ["feature/login", "feature/oauth"]
    assert every["branches"] == [
        {"branch": name} for name in ("feature/login", "feature/oauth", "main", "stray")
    ]
    assert every["page_info"]["total_count"] == 4
    assert every["has_more"] is False


async def test_stale_days_keeps_what_nobody_touched(stacked: GitRepository) -> None:
    """Branches without a commit for so many days, and those that are gone."""
    stacked.git("update-ref", "-d", "refs/heads/feature/login")
    async with checkout_client(stacked) as twig:
        stale = await twig.ask("list_branches", stale_days=1)
        fresh = await twig.ask("list_branches", stale_days=36500)
    assert [each["branch"] for each in stale["branches"]] == ["feature/login", "feature/oauth"]
    assert [each["branch"] for each in fresh["branches"]] == ["feature/login"]


async def test_a_long_list_says_that_there_is_more(repository: GitRepository) -> None:
    """A page ends with the number of the next one, never silently."""
    head = repository.git("rev-parse", "HEAD")
    packed = "".join(f"{head} refs/heads/b{number:04}\n" for number in range(450))
    (repository.path / ".git" / "packed-refs").write_text(packed, encoding="utf-8")
    async with checkout_client(repository) as twig:
        first = await twig.ask("list_branches", include_untracked=True)
        last = await twig.ask("list_branches", include_untracked=True, page=3)
    assert first["page_info"] == {
        "has_more": True,
        "next_page": 2,
        "next_cursor": None,
        "total_count": 451,
        "returned": 200,
        "truncated": False,
    }
    assert last["has_more"] is False
    assert last["branches"][-1]["branch"] == "main"


async def test_branches_are_found_by_pull_request_and_issue(stacked: GitRepository) -> None:
    """Either key, in any case, or both; no link is an empty list."""
    async with checkout_client(stacked) as twig:
        by_number = await twig.ask("resolve_branch", pr_number=41)
        by_issue = await twig.ask("resolve_branch", issue_key="proj-2")
        by_both = await twig.ask("resolve_branch", pr_number=41, issue_key="PROJ-2")
    assert [each["branch"] for each in by_number["branches"]] == ["feature/login"]
    assert [each["branch"] for each in by_issue["branches"]] == ["feature/oauth"]
    assert by_both["branches"] == []


async def test_divergence_is_counted_from_the_parent(stacked: GitRepository) -> None:
    """Without a base it is the parent; a base may be any local or remote branch."""
    fork = stacked.git("rev-parse", "HEAD")
    sha = stacked.commit("work")
    stacked.track("main", sha)
    async with checkout_client(stacked) as twig:
        parent = await twig.ask("get_branch_divergence", branch=".")
        remote = await twig.ask("get_branch_divergence", branch="main", base="origin/main")
        error = await twig.refused("get_branch_divergence", branch="main", base="nowhere")
    assert (parent["base"], parent["base_is"]) == ("feature/login", "parent")
    assert (parent["ahead"], parent["behind"], parent["merge_base"]) == (1, 0, fork)
    assert (remote["ahead"], remote["behind"]) == (0, 1)
    assert error["error_code"] == "BRANCH_NOT_FOUND"


async def test_without_a_parent_the_base_is_the_upstream_then_the_root(
    repository: GitRepository,
) -> None:
    """`base_is` says which it was; a root that tracks nothing has nothing to compare with."""
    start = repository.git("rev-parse", "HEAD")
    repository.branch("topic", "loose")
    repository.switch("topic")
    repository.commit("work")
    repository.git("remote", "add", "origin", "https://github.com/acme/widgets.git")
    repository.track("topic", start)
    repository.twig(twig_state(roots=[("main", True)]))
    async with checkout_client(repository) as twig:
        topic = await twig.ask("get_branch_divergence", branch="topic")
        loose = await twig.ask("get_branch_divergence", branch="loose")
        nothing = await twig.refused("get_branch_divergence", branch="main")
    assert (topic["base"], topic["base_is"]) == ("origin/topic", "upstream")
    assert (topic["ahead"], topic["behind"]) == (1, 0)
    assert (loose["base"], loose["base_is"]) == ("main", "root")
    assert nothing["error_code"] == "INVALID_INPUT"
    assert "Pass base" in nothing["hint"]


async def test_a_base_may_be_a_dot_and_must_be_in_git(stacked: GitRepository) -> None:
    """`.` is the current branch; one that only twig knows cannot be counted."""
    stacked.git("update-ref", "-d", "refs/heads/feature/login")
    async with checkout_client(stacked) as twig:
        here = await twig.ask("get_branch_divergence", branch="main", base=".")
        gone = await twig.refused("get_branch_divergence", branch="main", base="feature/login")
    assert here["base"] == "feature/oauth"
    assert gone["error_code"] == "BRANCH_NOT_FOUND"


async def test_branches_without_common_history_have_no_merge_base(
    repository: GitRepository,
) -> None:
    """Unrelated histories: everything is ahead and behind, and there is no merge base."""
    repository.switch("unrelated")
    repository.commit("another beginning")
    async with checkout_client(repository) as twig:
        answer = await twig.ask("get_branch_divergence", branch="unrelated", base="main")
    assert (answer["ahead"], answer["behind"], answer["merge_base"]) == (1, 1, None)


async def test_the_registry_is_listed_with_what_still_exists(repository: GitRepository) -> None:
    """Name, path, last fetch, and whether the repository is still there."""
    repository.registry([
        {"path": str(repository.path), "name": "repo", "last_fetch": CREATED_AT},
        {"path": "/nowhere/at/all", "name": "gone", "last_fetch": None},
        {"nonsense": True},
    ])
    async with checkout_client(repository) as twig:
        answer = await twig.ask("list_repositories")
    assert answer["repositories"] == [
        {
            "name": "repo",
            "path": str(repository.path),
            "last_fetch": CREATED_AT,
            "exists": True,
        },
        {"name": "gone", "path": "/nowhere/at/all", "last_fetch": None, "exists": False},
    ]
    assert "[2]" in answer["warnings"][0]


async def test_no_registry_is_an_empty_list(repository: GitRepository) -> None:
    """A machine without twig has no repositories, and no error."""
    async with checkout_client(repository) as twig:
        assert (await twig.ask("list_repositories"))["repositories"] == []


async def test_worktrees_of_git_and_of_the_state_are_one_list(stacked: GitRepository) -> None:
    """Joined by path; each says who knows it; locks are told."""
    linked = stacked.worktree("feature-login", "feature/login")
    stacked.git("worktree", "lock", "--reason", "on a stick", str(linked))
    stacked.twig(
        twig_state(
            worktrees=[
                ("login", str(linked), "feature/login"),
                ("lost", "../lost", "stray"),
            ]
        )
    )
    async with checkout_client(stacked) as twig:
        answer = await twig.ask("get_worktrees")
    main, login, lost = answer["worktrees"]
    assert (main["name"], main["current"], main["in_git"]) == ("repo", True, True)
    assert (login["name"], login["branch"]) == ("login", "feature/login")
    assert (login["locked"], login["locked_reason"]) == (True, "on a stick")
    assert (login["in_state"], login["in_git"]) == (True, True)
    assert (lost["name"], lost["in_state"], lost["in_git"]) == ("lost", True, False)
