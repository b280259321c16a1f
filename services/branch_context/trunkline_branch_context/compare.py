"""The answer about divergence: a branch against what it should be compared with."""

import asyncio
from collections.abc import Iterator

from trunkline_branch_context.checkout import Checkout, Overview
from trunkline_branch_context.divergence import merge_base
from trunkline_branch_context.forest import root_names
from trunkline_branch_context.heads import Heads, remote_heads, shortened
from trunkline_branch_context.models import BranchDivergence
from trunkline_branch_context.names import gone_branch, unknown_branch
from trunkline_shared.errors import InvalidInput


async def compare(checkout: Checkout, branch: str, base: str) -> BranchDivergence:
    """Return how far `branch` is from `base`; no base is its parent, else upstream, else root.

    Only object names reach git. Raises BranchNotFound, InvalidInput, NotFound (reason
    detached_head).
    """
    overview, remote = await asyncio.gather(checkout.overview(), remote_heads(checkout.git))
    name = await checkout.named(overview, branch)
    if name not in overview.heads:
        raise gone_branch(name)
    every = {**remote, **overview.heads}
    if base:
        against, kind = await _given(checkout, overview, base, every), "given"
    else:
        against, kind = _default(overview, name, every)
    sha, base_sha = overview.heads[name].sha, every[against].sha
    counted, ancestor = await asyncio.gather(
        checkout.divergences.between(checkout.git, sha, base_sha),
        merge_base(checkout.git, sha, base_sha),
    )
    return BranchDivergence(
        branch=name,
        base=against,
        base_is=kind,
        ahead=counted.ahead,
        behind=counted.behind,
        merge_base=ancestor,
        head_sha=sha,
        base_sha=base_sha,
    )


async def _given(checkout: Checkout, overview: Overview, base: str, every: Heads) -> str:
    if base in every:
        return base
    if base in overview.known or base == ".":
        name = await checkout.named(overview, base)
        if name not in every:
            raise gone_branch(name)
        return name
    raise await unknown_branch(checkout.git, base, every.keys())


def _default(overview: Overview, name: str, every: Heads) -> tuple[str, str]:
    for candidate, kind in _candidates(overview, name):
        if candidate in every and candidate != name:
            return candidate, kind
    raise InvalidInput(
        "get_branch_divergence: nothing to compare with: the branch has no parent in twig's "
        "state, no upstream, and is itself the root",
        hint="Pass base: a local branch or a remote one such as 'origin/main'.",
        details={"field_errors": [{"field": "base", "problem": "is required here"}]},
    )


def _candidates(overview: Overview, name: str) -> Iterator[tuple[str, str]]:
    for parent in overview.state.parents.get(name, ()):
        yield parent, "parent"
    upstream = overview.heads[name].upstream
    if upstream is not None:
        yield shortened(upstream), "upstream"
    for root in root_names(overview.state, overview.heads.keys(), overview.current):
        yield root, "root"
