"""What is checked out: the branch, its commit, its upstream, and whether files differ."""

import asyncio
from dataclasses import dataclass

from trunkline_branch_context.git import Git
from trunkline_branch_context.heads import LOCAL
from trunkline_shared.errors import UpstreamTimeout

STATUS_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadState:
    """HEAD of one working tree.

    `branch` is None when detached; `sha` is None when the branch is unborn. `upstream`, `ahead`
    and `behind` are None without an upstream that exists. `dirty` speaks of tracked files, and
    is None when git could not tell in time.
    """

    branch: str | None
    sha: str | None
    upstream: str | None = None
    ahead: int | None = None
    behind: int | None = None
    dirty: bool | None = None

    @property
    def detached(self) -> bool:
        return self.branch is None

    @property
    def unborn(self) -> bool:
        return self.branch is not None and self.sha is None


async def read_head(git: Git) -> HeadState:
    """Return what is checked out, at the price of two git processes side by side."""
    branch, status = await asyncio.gather(current_branch(git), _status(git))
    return HeadState(branch=branch, sha=await _sha(git)) if status is None else status(branch)


async def current_branch(git: Git) -> str | None:
    """Return the branch HEAD names, also an unborn one, or None when HEAD is detached."""
    output = await git.run("symbolic-ref", "-q", "HEAD", accept=frozenset({0, 1}))
    return output.text.rstrip("\n").removeprefix(LOCAL) if output.code == 0 else None


class _Status:
    """The head lines of `git status --porcelain=v2 --branch -z`, and whether more follows."""

    def __init__(self, text: str) -> None:
        entries = [entry for entry in text.split("\0") if entry]
        self.known = dict(e[2:].split(" ", 1) for e in entries if e.startswith("# "))
        self.dirty = any(not entry.startswith("# ") for entry in entries)

    def __call__(self, branch: str | None) -> HeadState:
        sha = self.known.get("branch.oid")
        ahead, behind = self._divergence()
        return HeadState(
            branch=branch,
            sha=None if sha == "(initial)" else sha,
            upstream=None if branch is None else self.known.get("branch.upstream"),
            ahead=ahead,
            behind=behind,
            dirty=self.dirty,
        )

    def _divergence(self) -> tuple[int | None, int | None]:
        counts = self.known.get("branch.ab")
        if counts is None:
            return None, None
        ahead, behind = counts.split(" ")
        return int(ahead), -int(behind)


async def _status(git: Git) -> _Status | None:
    """Return git's status, or None when a large working tree takes too long to compare."""
    try:
        output = await git.run(
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=no",
            "--ignore-submodules=dirty",
            "--no-renames",
            within_s=STATUS_S,
        )
    except UpstreamTimeout:
        return None
    return _Status(output.text)


async def _sha(git: Git) -> str | None:
    output = await git.run(
        "rev-parse", "--verify", "-q", "HEAD^{commit}", accept=frozenset({0, 1, 128})
    )
    return output.text.strip() or None
