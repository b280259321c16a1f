"""Which branch, and so which pull request and issue, the work at hand is about."""

from collections.abc import Awaitable
from dataclasses import dataclass

from trunkline_bridge.work.asked import CURRENT, Asked, Subject, bound_number
from trunkline_bridge.work.models import BranchSummary, Pull
from trunkline_shared.binding import bound
from trunkline_shared.work.issue_key import issue_key_of
from trunkline_shared.work.part import Part, part_of
from trunkline_shared.work.reading import BRANCH, CURRENT_BRANCH, PartReading


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The branch as it is here, and what the other parts are to be about."""

    here: Part[BranchSummary]
    subject: Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectFinding:
    """Asks twig; without one the branch that was named leads, or the bound pull request."""

    reading: PartReading
    asked: Asked

    async def find(self, pull: Awaitable[Part[Pull]]) -> Found:
        """Return the subject; a bound pull request is it, and its branch the branch."""
        number = bound_number()
        if number is None or self.asked.branch not in {"", CURRENT}:
            return _found(await self._branch(self.asked.branch), self.asked.branch, number)
        here = await self._branch("")
        if here.data and here.data.pr_number == number:
            return _found(here, "", number)
        head = _own((await pull).data)
        if here.data and here.data.branch and here.data.branch == head:
            return _found(here, head, number)
        return _found(await self._branch(head) if head else here, head, number, foreign=not head)

    async def _branch(self, name: str) -> Part[BranchSummary]:
        if name in {"", CURRENT}:
            return await part_of(self.reading.read(CURRENT_BRANCH, {}, BranchSummary.of))
        return await part_of(self.reading.read(BRANCH, {"branch": name}, BranchSummary.of))


def _own(pull: Pull | None) -> str:
    """Return the branch of a pull request, without the owner of a fork."""
    return pull.head.rpartition(":")[2] if pull else ""


def _found(
    here: Part[BranchSummary], named: str, number: int | None, *, foreign: bool = False
) -> Found:
    """Return what is known; a `foreign` branch here tells nothing of the bound pull request."""
    known = None if foreign else here.data
    branch = (known.branch if known else None) or ("" if named == CURRENT else named)
    key = bound("issue_key") or (known.issue_key if known else None) or issue_key_of(branch, None)
    return Found(
        here=here,
        subject=Subject(
            branch=branch,
            pr_number=number or (known.pr_number if known else None),
            issue_key=None if key is None else str(key),
            head_sha=known.head_sha if known else None,
        ),
    )
