"""The one checkout that this server answers about, and everything it reads there."""

import asyncio
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from trunkline_branch_context.divergence import Divergences
from trunkline_branch_context.git import Git
from trunkline_branch_context.head_state import HeadState, current_branch, read_head
from trunkline_branch_context.heads import Heads, local_heads
from trunkline_branch_context.names import CURRENT, detached_head, unknown_branch
from trunkline_branch_context.place import Place, find_place
from trunkline_branch_context.registry import RegistryReader
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_branch_context.state import RepoState, StateReader, TrackedBranch
from trunkline_shared.clock import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What is checked out, and what twig knows: enough to speak of the current branch."""

    place: Place
    head: HeadState
    state: RepoState


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """All branches: those in git, those in the state, and which one is current."""

    place: Place
    current: str | None
    heads: Heads
    state: RepoState

    @property
    def current_sha(self) -> str | None:
        """The commit checked out, or None when HEAD is detached or unborn."""
        head = self.heads.get(self.current) if self.current is not None else None
        return head.sha if head else None

    @property
    def known(self) -> frozenset[str]:
        """Every name that a caller may ask about."""
        current = () if self.current is None else (self.current,)
        return self.state.names | frozenset((*self.heads, *current))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkout:
    """Reads one checkout, anew for each question; `paths_shown` says whether answers name paths."""

    git: Git
    states: StateReader
    registry: RegistryReader
    clock: Clock
    paths_shown: bool
    divergences: Divergences = field(default_factory=Divergences)

    async def here(self) -> Here:
        """Return the current branch's surroundings: three git processes side by side.

        Raises NoRepository, NoTwigState, PermissionDenied, Unsupported, UpstreamTimeout.
        """
        place, head = await _with_place(self.git, read_head(self.git))
        return Here(place=place, head=head, state=await self.states.read(place))

    async def overview(self) -> Overview:
        """Return all branches: three git processes side by side.

        Raises what `here` raises.
        """
        branches = asyncio.gather(current_branch(self.git), local_heads(self.git))
        place, (current, heads) = await _with_place(self.git, branches)
        state = await self.states.read(place)
        return Overview(place=place, current=current, heads=heads, state=state)

    async def named(self, overview: Overview, branch: str) -> str:
        """Return the branch that a caller means; empty or `.` is the current one.

        Raises NotFound (reason detached_head), BranchNotFound, InvalidInput.
        """
        if branch in {"", CURRENT}:
            if overview.current is None:
                raise detached_head()
            return overview.current
        if branch in overview.known:
            return branch
        if overview.place.ignores_case:
            same = [each for each in overview.known if each.casefold() == branch.casefold()]
            if len(same) == 1:
                return same[0]
        raise await unknown_branch(self.git, branch, overview.known)

    def path(self, path: str | Path) -> str | None:
        """Return a path as it may be told: only where nobody but this machine listens."""
        return str(path) if self.paths_shown else None


async def _with_place(git: Git, other: Awaitable[T]) -> tuple[Place, T]:
    """Wait for both; when both fail, what is wrong with the place says more."""
    place, value = await asyncio.gather(find_place(git), other, return_exceptions=True)
    if isinstance(place, BaseException):
        raise place
    if isinstance(value, BaseException):
        raise value
    return place, value


def tracked(place: Place, branches: Mapping[str, TrackedBranch], name: str) -> TrackedBranch | None:
    """Return what twig records of a branch, whatever its case where case does not count."""
    if name in branches or not place.ignores_case:
        return branches.get(name)
    same = [each for each in branches if each.casefold() == name.casefold()]
    return branches[same[0]] if len(same) == 1 else None


def git_at(settings: BranchContextSettings) -> Git:
    """Return git in the configured directory."""
    directory = settings.repo_path.expanduser().absolute()
    return Git(
        directory=directory,
        environment=settings.git_environment,
        shown=str(directory) if settings.paths_shown else "the configured directory",
    )


def checkout_at(settings: BranchContextSettings, clock: Clock) -> Checkout:
    """Return the configured checkout; nothing is read before the first question."""
    return Checkout(
        git=git_at(settings),
        states=StateReader(clock),
        registry=RegistryReader(settings.registry_path, clock),
        clock=clock,
        paths_shown=settings.paths_shown,
    )
