"""Where branch-context may stand: HEADs, worktrees, submodules, bare and strange repositories."""

import shutil
from pathlib import Path

import pytest

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """One commit on main."""
    return GitRepository.at(tmp_path)


@pytest.mark.requirement("branch.detached")
async def test_a_detached_head_is_no_branch_called_head(repository: GitRepository) -> None:
    """Detached HEAD: the branch is null, never the literal HEAD; the commit is known."""
    sha = repository.git("rev-parse", "HEAD")
    repository.detach()
    async with checkout_client(repository) as twig:
        answer = await twig.ask("get_current_branch")
        tree = await twig.ask("get_branch_tree")
        for tool in ("get_branch_stack", "get_branch_metadata"):
            error = await twig.refused(tool, branch=".")
            assert error["error_code"] == "NOT_FOUND"
            assert error["details"]["reason"] == "detached_head"
    assert answer["branch"] is None
    assert answer["detached"] is True
    assert answer["head_sha"] == sha
    assert answer["tracked"] is False
    assert tree["root"] == "main"


async def test_a_branch_literally_called_head_is_a_branch(repository: GitRepository) -> None:
    """A branch named HEAD is told from a detached HEAD, current or not."""
    repository.branch("HEAD")
    repository.twig(twig_state(branches={"HEAD": ("PROJ-9", 9)}))
    async with checkout_client(repository) as twig:
        named = await twig.ask("get_branch_metadata", branch="HEAD")
        repository.switch("HEAD")
        current = await twig.ask("get_current_branch")
    assert (named["branch"], named["current"]) == ("HEAD", False)
    assert (current["branch"], current["detached"]) == ("HEAD", False)
    assert current["pr_number"] == 9


@pytest.mark.requirement("branch.unborn")
async def test_an_unborn_branch_has_a_name_and_no_commit(tmp_path: Path) -> None:
    """A repository without a commit answers the branch's name; nothing else fails."""
    empty = GitRepository.at(tmp_path, commits=0)
    async with checkout_client(empty) as twig:
        answer = await twig.ask("get_current_branch")
        tree = await twig.ask("get_branch_tree")
        stack = await twig.ask("get_branch_stack")
        listed = await twig.ask("list_branches", include_untracked=True)
        error = await twig.refused("get_branch_divergence", branch=".")
    assert (answer["branch"], answer["unborn"], answer["head_sha"]) == ("main", True, None)
    assert answer["exists_locally"] is False
    assert (tree["root"], tree["tree_text"]) == (None, "")
    assert [step["branch"] for step in stack["stack"]] == ["main"]
    assert listed["branches"] == []
    assert error["error_code"] == "BRANCH_NOT_FOUND"


@pytest.mark.requirement("branch.linked-worktree")
async def test_a_linked_worktree_reads_the_main_ones_state(repository: GitRepository) -> None:
    """Linked worktree: its own HEAD, and the state of the main working tree."""
    linked = repository.worktree("feature-x", "feature/x")
    repository.twig(twig_state(branches={"feature/x": ("PROJ-7", 7)}))
    async with checkout_client(repository, repo_path=linked) as twig:
        answer = await twig.ask("get_current_branch")
        worktrees = await twig.ask("get_worktrees", fields=["name", "current"])
    assert (answer["branch"], answer["pr_number"]) == ("feature/x", 7)
    assert answer["worktree"] == {"name": "feature-x", "path": str(linked), "linked": True}
    assert worktrees["worktrees"] == [
        {"name": "repo", "current": False},
        {"name": "feature-x", "current": True},
    ]


async def test_a_linked_worktrees_own_state_goes_first(repository: GitRepository) -> None:
    """When the worktree itself has a state file, that one counts."""
    linked = repository.worktree("feature-x", "feature/x")
    repository.twig(twig_state(branches={"feature/x": ("PROJ-7", 7)}))
    repository.twig(twig_state(branches={"feature/x": ("PROJ-8", 8)}), at=linked)
    async with checkout_client(repository, repo_path=linked) as twig:
        assert (await twig.ask("get_current_branch"))["pr_number"] == 8


async def test_a_folder_inside_the_checkout_is_the_checkout(repository: GitRepository) -> None:
    """The server may be started in any folder below the working tree's top."""
    inside = repository.path / "deep" / "er"
    inside.mkdir(parents=True)
    async with checkout_client(repository, repo_path=inside) as twig:
        assert (await twig.ask("get_current_branch"))["worktree"]["name"] == "repo"


@pytest.mark.requirement("branch.no-worktree")
async def test_a_bare_repository_is_no_checkout(repository: GitRepository, tmp_path: Path) -> None:
    """Bare repository: NO_REPOSITORY with the reason."""
    repository.git("clone", "--quiet", "--bare", str(repository.path), str(tmp_path / "bare.git"))
    async with checkout_client(repository, repo_path=tmp_path / "bare.git") as twig:
        for tool in ("get_current_branch", "get_branch_tree", "get_worktrees"):
            error = await twig.refused(tool)
            assert error["error_code"] == "NO_REPOSITORY"
            assert error["details"]["reason"] == "bare"


async def test_a_worktree_of_a_bare_repository_is_a_checkout(
    repository: GitRepository, tmp_path: Path
) -> None:
    """The bare repository with worktrees beside it: its state lies beside it, too."""
    bare = tmp_path / "project" / ".bare"
    repository.git("clone", "--quiet", "--bare", str(repository.path), str(bare))
    repository.git("worktree", "add", "--quiet", str(tmp_path / "project" / "main"), at=bare)
    repository.twig(twig_state(branches={"main": (None, 3)}), at=tmp_path / "project")
    async with checkout_client(repository, repo_path=tmp_path / "project" / "main") as twig:
        answer = await twig.ask("get_current_branch")
        worktrees = await twig.ask("get_worktrees")
    assert (answer["branch"], answer["pr_number"]) == ("main", 3)
    assert [each["bare"] for each in worktrees["worktrees"]] == [True, False]


@pytest.mark.requirement("branch.no-worktree")
async def test_a_submodule_is_a_checkout_and_its_git_directory_is_not(
    repository: GitRepository, tmp_path: Path
) -> None:
    """Submodule: its working tree is served; the place without one is NO_REPOSITORY."""
    (tmp_path / "outer").mkdir()
    outer = GitRepository.at(tmp_path / "outer")
    outer.git(
        *("-c", "protocol.file.allow=always", "submodule", "--quiet", "add"),
        *(str(repository.path), "sub"),
    )
    async with checkout_client(outer, repo_path=outer.path / "sub") as twig:
        answer = await twig.ask("get_current_branch")
    assert (answer["branch"], answer["worktree"]["name"]) == ("main", "sub")
    modules = outer.path / ".git" / "modules" / "sub"
    async with checkout_client(outer, repo_path=modules) as twig:
        error = await twig.refused("get_current_branch")
    assert error["error_code"] == "NO_REPOSITORY"
    assert error["details"]["reason"] == "no_working_tree"


@pytest.mark.requirement("branch.no-worktree")
async def test_no_repository_at_all_is_said_so(repository: GitRepository, tmp_path: Path) -> None:
    """A plain folder, and one that does not exist: the server runs, each call says why not."""
    reasons = {tmp_path / "home": "not_a_repository", tmp_path / "nowhere": "path_missing"}
    for path, reason in reasons.items():
        async with checkout_client(repository, repo_path=path) as twig:
            error = await twig.refused("get_current_branch")
            assert error["error_code"] == "NO_REPOSITORY"
            assert error["details"]["reason"] == reason
            assert "TRUNKLINE_REPO_PATH" in error["hint"]
            assert (await twig.ask("list_repositories"))["repositories"] == []


@pytest.mark.requirement("branch.no-worktree")
async def test_a_worktree_whose_git_directory_is_not_mounted_is_told_from_no_repository(
    repository: GitRepository, tmp_path: Path
) -> None:
    """As in a container that is given a linked worktree and nothing else."""
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / ".git").write_text("gitdir: /elsewhere/.git/worktrees/alone\n", encoding="utf-8")
    async with checkout_client(repository, repo_path=alone) as twig:
        error = await twig.refused("get_current_branch")
    assert error["error_code"] == "NO_REPOSITORY"
    assert error["details"]["reason"] == "git_directory_elsewhere"
    assert "main checkout" in error["hint"]
    assert "/elsewhere" not in str(error)


async def test_a_repository_made_later_is_found(repository: GitRepository, tmp_path: Path) -> None:
    """Nothing is remembered of a folder that was no repository."""
    later = tmp_path / "later"
    later.mkdir()
    async with checkout_client(repository, repo_path=later) as twig:
        assert (await twig.refused("get_current_branch"))["error_code"] == "NO_REPOSITORY"
        repository.git("init", "--quiet", "--initial-branch=trunk", at=later)
        assert (await twig.ask("get_current_branch"))["branch"] == "trunk"


@pytest.mark.requirement("branch.ownership")
async def test_a_checkout_of_another_user_is_refused_with_the_cure(
    repository: GitRepository, tmp_path: Path
) -> None:
    """safe.directory: git's refusal becomes PERMISSION_DENIED; the setting it asks for helps."""
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    real = shutil.which("git")
    script = f'#!/bin/sh\nexport GIT_TEST_ASSUME_DIFFERENT_OWNER=1\nexec {real} "$@"\n'
    wrapper.write_text(script, encoding="utf-8")
    wrapper.chmod(0o755)
    search_path = f"{wrapper.parent}:{repository.environment['PATH']}"
    async with checkout_client(repository, PATH=search_path) as twig:
        error = await twig.refused("get_current_branch")
        assert error["error_code"] == "PERMISSION_DENIED"
        assert "safe.directory" in error["hint"]
        config = repository.home / ".gitconfig"
        config.write_text(f"[safe]\n\tdirectory = {repository.path}\n", encoding="utf-8")
        assert (await twig.ask("get_current_branch"))["branch"] == "main"


async def test_paths_stay_inside_when_others_can_reach_the_server(
    repository: GitRepository,
) -> None:
    """Registry and worktree paths are for loopback, or as TRUNKLINE_SHOW_PATHS says."""
    repository.registry([{"path": str(repository.path), "name": "repo"}])
    repository.worktree("feature-x", "feature/x")

    async def told(**given: object) -> list[str]:
        async with checkout_client(repository, **given) as twig:
            answers = [
                await twig.ask(tool)
                for tool in ("list_repositories", "get_worktrees", "get_current_branch")
            ]
            paths = [entry["path"] for entry in answers[0]["repositories"]]
            paths += [entry["path"] for entry in answers[1]["worktrees"]]
            paths.append(answers[2]["worktree"]["path"])
            assert str(repository.path) not in repr(answers) or any(paths)
            return [path for path in paths if path is not None]

    assert len(await told()) == 4
    assert await told(service_host="0.0.0.0") == []  # noqa: S104 - only asked about, never bound
    assert len(await told(service_host="0.0.0.0", show_paths=True)) == 4  # noqa: S104 - as above
    assert await told(show_paths=False) == []


async def test_an_error_names_no_path_that_may_not_be_told(
    repository: GitRepository, tmp_path: Path
) -> None:
    """Where paths are not shown, errors call the directory by what it is."""
    async with checkout_client(repository, repo_path=tmp_path / "x", show_paths=False) as twig:
        error = await twig.refused("get_current_branch")
    assert str(tmp_path) not in repr(error)
