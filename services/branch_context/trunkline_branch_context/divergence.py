"""How far two commits have grown apart; what two object names say never changes, so it is kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from trunkline_branch_context.git import Git

KEPT = 4096
AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """Commits that only the one, and only the other, has."""

    ahead: int
    behind: int


Pair = tuple[str, str]


class Divergences:
    """Counts between pairs of object names, each asked of git once."""

    def __init__(self) -> None:
        self._known: OrderedDict[Pair, Divergence] = OrderedDict()

    async def between(self, git: Git, sha: str, base: str) -> Divergence:
        """Return what `sha` has and `base` has not, and the other way round."""
        pair = (sha, base)
        if sha == base:
            return Divergence(ahead=0, behind=0)
        if pair not in self._known:
            self._known[pair] = await _count(git, pair)
        self._known.move_to_end(pair)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return self._known.get(pair) or await _count(git, pair)

    async def of_all(self, git: Git, pairs: Iterable[Pair]) -> list[Divergence]:
        """Return the divergence of each pair, few git processes at a time."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def gated(sha: str, base: str) -> Divergence:
            async with gate:
                return await self.between(git, sha, base)

        return list(await asyncio.gather(*(gated(sha, base) for sha, base in pairs)))


async def _count(git: Git, pair: Pair) -> Divergence:
    sha, base = pair
    output = await git.run(
        "rev-list", "--left-right", "--count", "--end-of-options", f"{sha}...{base}", "--"
    )
    ahead, behind = output.text.split()
    return Divergence(ahead=int(ahead), behind=int(behind))


async def merge_base(git: Git, sha: str, base: str) -> str | None:
    """Return the best common ancestor of two object names, or None when there is none."""
    output = await git.run("merge-base", "--end-of-options", sha, base, accept=frozenset({0, 1}))
    return output.text.strip() or None
