"""The worktrees that git knows and those that twig's state knows, as one list."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline_branch_context.git import Git
from trunkline_branch_context.heads import LOCAL
from trunkline_branch_context.place import Place
from trunkline_branch_context.state import TrackedWorktree


@dataclass(frozen=True, slots=True, kw_only=True)
class Worktree:
    """One working tree of the repository; `head` is a commit's name, `branch` None if detached."""

    name: str
    path: str
    branch: str | None = None
    head: str | None = None
    bare: bool = False
    locked: bool = False
    locked_reason: str | None = None
    prunable: bool = False
    in_state: bool = False
    in_git: bool = False


async def list_worktrees(
    git: Git, place: Place, tracked: Sequence[TrackedWorktree]
) -> list[Worktree]:
    """Return git's worktrees in git's order, the main one first, then those only twig knows."""
    output = await git.run("worktree", "list", "--porcelain", "-z")
    return _union(list(parse_worktrees(output.text)), place, tracked)


def parse_worktrees(text: str) -> Iterator[Worktree]:
    """Read `git worktree list --porcelain -z`: attributes end with NUL, entries with two."""
    for entry in text.split("\0\0"):
        attributes = dict(_attribute(line) for line in entry.split("\0") if line)
        path = attributes.get("worktree")
        if path is None:
            continue
        branch = attributes.get("branch")
        yield Worktree(
            name=Path(path).name,
            path=path,
            branch=None if branch is None else branch.removeprefix(LOCAL),
            head=attributes.get("HEAD"),
            bare="bare" in attributes,
            locked="locked" in attributes,
            locked_reason=attributes.get("locked") or None,
            prunable="prunable" in attributes,
            in_git=True,
        )


def _attribute(line: str) -> tuple[str, str]:
    key, _, value = line.partition(" ")
    return key, value


def _union(
    known: Sequence[Worktree], place: Place, tracked: Sequence[TrackedWorktree]
) -> list[Worktree]:
    by_path = {_resolved(place, each.path): each for each in known}
    for each in tracked:
        at = _resolved(place, each.path)
        found = by_path.get(at)
        by_path[at] = (
            Worktree(name=each.name, path=each.path, branch=each.branch, in_state=True)
            if found is None
            else replace(found, name=each.name, in_state=True)
        )
    return list(by_path.values())


def _resolved(place: Place, path: str) -> str:
    """Return a path that two spellings of the same place share; nothing needs to exist there."""
    try:
        return str((place.toplevel / path).resolve())
    except (OSError, ValueError):
        return path
