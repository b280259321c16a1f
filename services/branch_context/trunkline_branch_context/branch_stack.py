"""The answer about a stack: a branch, its parent, and so on to the root."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline_branch_context.checkout import Checkout, Overview
from trunkline_branch_context.describe import links
from trunkline_branch_context.models import BranchStack, StackedBranch

MOST_STEPS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """The names from a branch upwards, and why they end."""

    names: Sequence[str]
    cycle: bool = False
    truncated: bool = False


def climb(parents: Mapping[str, Sequence[str]], branch: str) -> Climb:
    """Follow the primary parents as recorded, also through branches that are gone from git."""
    names = {branch: None}
    above = next(iter(parents.get(branch, ())), None)
    while above is not None:
        if above in names:
            return Climb(names=list(names), cycle=True)
        if len(names) == MOST_STEPS:
            return Climb(names=list(names), truncated=True)
        names[above] = None
        above = next(iter(parents.get(above, ())), None)
    return Climb(names=list(names))


async def branch_stack(checkout: Checkout, branch: str) -> BranchStack:
    """Return the stack that a branch tops; empty or `.` is the current one.

    Raises BranchNotFound, InvalidInput, NotFound (reason detached_head).
    """
    overview = await checkout.overview()
    return stack_in(overview, await checkout.named(overview, branch))


def stack_in(overview: Overview, branch: str) -> BranchStack:
    """Return the stack that a known branch tops."""
    found = climb(overview.state.parents, branch)
    stack = [_step(overview, name) for name in found.names]
    return BranchStack(
        stack=stack,
        cycle=found.cycle,
        secondary_parents=stack[0].secondary_parents,
        truncated=found.truncated,
        warnings=list(overview.state.warnings),
    )


def _step(overview: Overview, name: str) -> StackedBranch:
    return StackedBranch.model_validate({
        "branch": name,
        **links(overview.place, overview.state, name),
        "secondary_parents": list(overview.state.parents.get(name, ()))[1:],
        "exists_locally": name in overview.heads,
        "current": name == overview.current,
    })
