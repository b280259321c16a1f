"""A branch's context, composed: what this server knows, and what the others do."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trunkline_branch_context.checkout import Checkout
from trunkline_branch_context.describe import describe
from trunkline_branch_context.elsewhere import Elsewhere
from trunkline_branch_context.parts import BranchContext, Parts
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_branch_context.subject import Subject, find_hosting, subject_of
from trunkline_shared.binding import require_bound
from trunkline_shared.deadline import deadline_in, remaining
from trunkline_shared.together import together

LONGEST_S: Final = 25.0
ANSWER_S: Final = 1.0
AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """Composes contexts, all parts at the same time, and in time to answer."""

    checkout: Checkout
    elsewhere: Elsewhere
    settings: BranchContextSettings

    async def of(self, name: str) -> BranchContext:
        """Return the context of a branch.

        Raises BlockedByPolicy for another branch than the bound one, BranchNotFound, InvalidInput,
        NotFound (reason detached_head).
        """
        branch = await describe(self.checkout, name)
        subject = subject_of(branch)
        require_bound("The branch", subject.branch, "branch")
        (parts,) = await self.parts([subject])
        return BranchContext(branch=branch, **dict(parts))

    async def parts(self, subjects: Sequence[Subject]) -> list[Parts]:
        """Return what the others know of each branch, of some branches at a time."""
        hosting = await find_hosting(self.checkout.git, self.settings)
        few = asyncio.Semaphore(AT_ONCE)

        async def one(subject: Subject) -> Parts:
            async with few:
                return await self.elsewhere.parts(subject, hosting)

        with deadline_in(remaining(LONGEST_S + ANSWER_S) - ANSWER_S):
            async with together() as tasks:
                found = [tasks.create_task(one(subject)) for subject in subjects]
        return [each.result() for each in found]
