"""The lines that a pull request's diff shows, read once for each pair of base and head."""

from dataclasses import dataclass, field

from cachetools import LRUCache

from trunkline_inline_review.diff_index import DiffIndex, indexed
from trunkline_shared.errors import Conflict
from trunkline_shared.github import pulls
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.repository import Repository

MOST_WEIGHT = 100_000
"""How many files and hunks are kept, over all pull requests."""

_ATTEMPTS = 3
Key = tuple[str, int, str, str]


def _memory() -> LRUCache[Key, DiffIndex]:
    return LRUCache(MOST_WEIGHT, getsizeof=lambda index: index.weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A pull request as it was read, and the lines that its diff showed then."""

    pull: PullRequest
    index: DiffIndex

    def of_same_commits(self, other: "Seen") -> bool:
        """Say whether neither base nor head moved between the two."""
        mine, theirs = self.index, other.index
        return (mine.base_sha, mine.head_sha) == (theirs.base_sha, theirs.head_sha)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedLines:
    """Reads diffs; one pair of base and head never changes, so it is kept until room is needed.

    A rebase of the base shifts lines while the head stays, so both are the key.
    """

    github: GitHub
    _kept: LRUCache[Key, DiffIndex] = field(default_factory=_memory)
    _reading: KeyedWrites = field(default_factory=KeyedWrites)

    async def of(self, repository: Repository, number: int) -> Seen:
        """Return a pull request with the lines of its present diff.

        Raises NotFound, and Conflict when its head keeps moving while it is read.
        """
        return await self.at(repository, await self.pull(repository, number))

    async def at(self, repository: Repository, pull: PullRequest) -> Seen:
        """Return the lines of a pull request that was just read; it is read anew when it moved."""
        for _ in range(_ATTEMPTS):
            async with self._reading.alone((repository.slug.lower(), pull.number, "")):
                found = await self._seen(repository, pull)
            if isinstance(found, Seen):
                return found
            pull = found
        raise Conflict(
            f"The head of pull request {pull.number} moved each time its files were read.",
            hint="Try again when nobody pushes to it.",
            details={"reason": "head_moved", "head_sha": pull.head.sha},
        )

    async def pull(self, repository: Repository, number: int) -> PullRequest:
        """Read the pull request as it is now."""
        return await self.github.fetch(pulls.get_pull(repository, number))

    async def _seen(self, repository: Repository, pull: PullRequest) -> Seen | PullRequest:
        """Return what is kept or read; the pull request as it is now when it moved meanwhile."""
        key = _key(repository, pull)
        kept = self._kept.get(key)
        if kept is not None:
            return Seen(pull=pull, index=kept)
        files = await self.github.collect(
            pulls.list_files(repository, pull.number), limit=pulls.MOST_FILES
        )
        after = await self.pull(repository, pull.number)
        if _key(repository, after) != key:
            return after
        index = indexed(
            files.items,
            base_sha=pull.base.sha,
            head_sha=pull.head.sha,
            truncated=files.truncated or pull.changed_files > len(files.items),
        )
        if index.weight <= self._kept.maxsize:
            self._kept[key] = index
        return Seen(pull=after, index=index)


def _key(repository: Repository, pull: PullRequest) -> Key:
    return (repository.slug.lower(), pull.number, pull.base.sha, pull.head.sha)
