"""twig's state as it is found: cyclic, crossed, half-written, newer, foreign."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.interaction.checkout_client import checkout_client
from trunkline_shared.clock import SystemClock
from trunkline_shared.testing.git_repository import GitRepository, twig_state

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """One commit on main, and branches a, b, c."""
    made = GitRepository.at(tmp_path)
    made.branch("a", "b", "c")
    return made


@pytest.mark.requirement("branch.cycles")
async def test_a_cycle_is_marked_and_ends(repository: GitRepository) -> None:
    """Cycles of a hand-edited file: every branch appears once, marked; the stack says cycle."""
    repository.twig(
        twig_state(dependencies=[("a", "b"), ("b", "c"), ("c", "a")], roots=[("main", True)])
    )
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree")
        stack = await twig.ask("get_branch_stack", branch="b")
    assert tree["tree_text"].splitlines() == [
        "main",
        "└── a † [also: b] [cycle]",
        "    └── c [cycle]",
        "        └── b [cycle]",
    ]
    assert [each["cycle"] for each in tree["branches"]] == [False, True, True, True]
    assert [step["branch"] for step in stack["stack"]] == ["b", "c", "a"]
    assert stack["cycle"] is True


async def test_a_branch_that_is_its_own_parent_is_a_cycle(repository: GitRepository) -> None:
    """The smallest cycle ends, too."""
    repository.twig(twig_state(dependencies=[("a", "a")], roots=[("main", True)]))
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree", include_orphans=True)
        stack = await twig.ask("get_branch_stack", branch="a")
    assert "├── a † [cycle]" in tree["tree_text"]
    assert ([step["branch"] for step in stack["stack"]], stack["cycle"]) == (["a"], True)


@pytest.mark.requirement("branch.cycles")
async def test_a_diamond_is_printed_once(repository: GitRepository) -> None:
    """Diamonds: under the first parent, with the other one named."""
    repository.twig(
        twig_state(
            branches={"c": (None, 12)},
            dependencies=[("a", "main"), ("b", "main"), ("c", "a"), ("c", "b")],
            roots=[("main", True)],
        )
    )
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree")
        stack = await twig.ask("get_branch_stack", branch="c")
    assert tree["tree_text"].splitlines() == [
        "main",
        "├── a",
        "│   └── c (#12) [also: b]",
        "└── b",
    ]
    assert [each["also_parents"] for each in tree["branches"] if each["branch"] == "c"] == [["b"]]
    assert stack["secondary_parents"] == ["b"]


async def test_several_roots_are_drawn_one_after_another(repository: GitRepository) -> None:
    """Configured roots in the file's order, the default first; one that is gone is left out."""
    repository.twig(
        twig_state(
            dependencies=[("a", "b")],
            roots=[("b", False), ("gone", False), ("main", True)],
        )
    )
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree")
    assert (tree["root"], tree["roots"]) == ("main", ["main", "b"])
    assert tree["tree_text"].splitlines() == ["main", "└── c †", "b", "└── a"]


async def test_without_configured_roots_the_current_branch_is_the_root(
    repository: GitRepository,
) -> None:
    """None configured: the current branch; with a detached HEAD the first by name."""
    async with checkout_client(repository) as twig:
        repository.switch("b")
        assert (await twig.ask("get_branch_tree"))["root"] == "b"
        repository.switch("main")
        repository.detach()
        assert (await twig.ask("get_branch_tree"))["root"] == "a"


async def test_a_stack_deeper_than_any_recursion_is_walked(repository: GitRepository) -> None:
    """3,000 branches on top of each other: the tree is cut and says so, the stack too."""
    names = [f"s{at:04}" for at in range(3000)]
    head = repository.git("rev-parse", "HEAD")
    packed = "".join(f"{head} refs/heads/{name}\n" for name in names)
    (repository.path / ".git" / "packed-refs").write_text(packed, encoding="utf-8")
    steps = list(zip(names, ["main", *names], strict=False))
    repository.twig(twig_state(dependencies=steps, roots=[("main", True)]))
    async with checkout_client(repository) as twig:
        tree = await twig.ask("get_branch_tree", include_orphans=False)
        stack = await twig.ask("get_branch_stack", branch=names[-1])
        named = await twig.ask("get_branch_tree", branch=names[-2])
    assert len(tree["branches"]) + tree["not_shown"] == 3001
    assert stack["truncated"] is True
    assert named["tree_text"].splitlines() == ["s2998", "└── s2999"]


@pytest.mark.requirement("branch.half-written")
async def test_a_half_written_state_is_read_again(repository: GitRepository) -> None:
    """twig writes in place: a reader that comes in between waits 20 ms and finds the whole."""
    path = repository.twig("")
    whole = json.dumps(twig_state(branches={"main": ("PROJ-1", 1)}))
    interleaving = _Interleaving([whole[:40], whole], path)
    async with checkout_client(repository, interleaving) as twig:
        answer = await twig.ask("get_current_branch")
    assert answer["pr_number"] == 1
    assert interleaving.slept == [0.02, 0.02]


@pytest.mark.requirement("branch.half-written")
async def test_a_state_that_stays_broken_is_named_with_its_position(
    repository: GitRepository,
) -> None:
    """After two more tries: NO_TWIG_STATE with line and column."""
    path = repository.twig('{"version": 1,\n  "branches": {"main": {"jira')
    async with checkout_client(repository) as twig:
        error = await twig.refused("get_current_branch")
        assert error["error_code"] == "NO_TWIG_STATE"
        assert error["details"]["reason"] == "invalid_json"
        assert error["details"]["line"] == 2
        assert str(repository.path) not in error["message"]
        path.write_text(json.dumps(twig_state(branches={"main": (None, 2)})), encoding="utf-8")
        assert (await twig.ask("get_current_branch"))["pr_number"] == 2


@pytest.mark.requirement("branch.newer-state")
async def test_a_newer_version_is_read_with_a_warning(repository: GitRepository) -> None:
    """Newer version: what is known counts, unknown fields are ignored, every answer warns."""
    state = twig_state(branches={"main": ("PROJ-1", 1)})
    state |= {"version": 7, "stacks": [{"x": 1}]}
    repository.twig(state)
    async with checkout_client(repository) as twig:
        for tool in ("get_current_branch", "get_branch_tree", "get_branch_stack", "list_branches"):
            assert "version 7" in (await twig.ask(tool))["warnings"][0]
        assert (await twig.ask("get_current_branch"))["pr_number"] == 1


async def test_entries_that_make_no_sense_are_skipped_by_name(repository: GitRepository) -> None:
    """One bad entry costs itself only."""
    state = twig_state(branches={"main": ("PROJ-1", 1), "a": (None, -3)})
    repository.twig(state)
    async with checkout_client(repository) as twig:
        answer = await twig.ask("list_branches")
    assert [each["branch"] for each in answer["branches"]] == ["main"]
    assert "branches['a']" in answer["warnings"][0]


async def test_a_state_of_another_shape_or_size_is_refused(repository: GitRepository) -> None:
    """Not an object, wrong parts, a folder, more than 8 MiB: NO_TWIG_STATE with the reason."""
    async with checkout_client(repository) as twig:
        for text in ("[]", '{"branches": 5}', '{"dependencies": {"a": 1}}'):
            repository.twig(text)
            error = await twig.refused("get_branch_tree")
            assert error["error_code"] == "NO_TWIG_STATE"
            assert error["details"]["reason"] == "wrong_shape"
        path = repository.twig(" " * (8 * 1024 * 1024 + 1))
        error = await twig.refused("get_branch_tree")
        assert (error["error_code"], error["details"]["reason"]) == ("NO_TWIG_STATE", "too_large")
        path.unlink()
        path.mkdir()
        error = await twig.refused("get_branch_tree")
        assert error["details"]["reason"] == "not_a_file"


async def test_a_change_of_the_state_is_seen_by_the_next_call(repository: GitRepository) -> None:
    """Nothing is reused beyond the file's stamp, also for writes within one tick of the clock."""
    async with checkout_client(repository) as twig:
        for number in range(1, 20):
            repository.twig(twig_state(branches={"main": (None, number)}))
            assert (await twig.ask("get_current_branch"))["pr_number"] == number


async def test_the_current_branch_is_told_quickly(repository: GitRepository) -> None:
    """It is asked all day: well below a second even on a loaded machine."""
    async with checkout_client(repository) as twig:
        await twig.ask("get_current_branch")
        async with asyncio.timeout(5):
            took = []
            for _ in range(5):
                began = time.perf_counter()
                await twig.ask("get_current_branch")
                took.append(time.perf_counter() - began)
    assert min(took) < 0.5


class _Interleaving(SystemClock):
    """A clock whose waits let a writer get on: each one writes the next text into the file."""

    def __init__(self, texts: list[str], path: Path) -> None:
        self._texts = texts
        self._path = path
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self._path.write_text(self._texts.pop(0), encoding="utf-8")
