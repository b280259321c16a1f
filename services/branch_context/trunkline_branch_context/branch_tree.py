"""The answer about the tree: the forest, how far its branches have grown apart, its text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from trunkline_branch_context.checkout import Checkout, Overview, tracked
from trunkline_branch_context.divergence import Divergence
from trunkline_branch_context.forest import Forest, grow
from trunkline_branch_context.models import BranchTree, TreeBranch
from trunkline_branch_context.names import gone_branch
from trunkline_branch_context.tree import Line, walk
from trunkline_branch_context.tree_text import Labels, Style, render

MOST_COMPARED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What of the tree a caller wants to see; no `branch` is all roots."""

    branch: str = ""
    max_depth: int | None = None
    include_orphans: bool = True
    style: Style = "plain"


async def branch_tree(checkout: Checkout, view: View) -> BranchTree:
    """Return the tree below a branch, or below all roots.

    Raises BranchNotFound, InvalidInput, NotFound (reason detached_head).
    """
    overview = await checkout.overview()
    forest = grow(
        overview.state,
        overview.heads.keys(),
        overview.current,
        include_orphans=view.include_orphans,
    )
    roots = [await _chosen(checkout, overview, view.branch)] if view.branch else forest.roots
    shown = walk(forest, roots, view.max_depth)
    divergences = await _divergences(checkout, overview, shown.lines)
    labels = [_labels(overview, forest, line, divergences) for line in shown.lines]
    return BranchTree(
        root=next(iter(roots), None),
        roots=list(roots),
        tree_text=render(list(zip(shown.lines, labels, strict=True)), view.style),
        branches=[_branch(*each) for each in zip(shown.lines, labels, strict=True)],
        not_shown=shown.hidden,
        warnings=list(overview.state.warnings),
    )


async def _chosen(checkout: Checkout, overview: Overview, branch: str) -> str:
    name = await checkout.named(overview, branch)
    if name not in overview.heads:
        raise gone_branch(name)
    return name


async def _divergences(
    checkout: Checkout, overview: Overview, lines: Sequence[Line]
) -> Mapping[str, Divergence]:
    """Compare the first lines with the branch above; one git process per new pair of commits."""
    heads = overview.heads
    compared = [(line.branch, line.parent) for line in lines if line.parent][:MOST_COMPARED]
    pairs = [(heads[branch].sha, heads[parent].sha) for branch, parent in compared]
    counted = await checkout.divergences.of_all(checkout.git, pairs)
    return {branch: found for (branch, _), found in zip(compared, counted, strict=True)}


def _labels(
    overview: Overview, forest: Forest, line: Line, divergences: Mapping[str, Divergence]
) -> Labels:
    known = tracked(overview.place, overview.state.branches, line.branch)
    divergence = divergences.get(line.branch)
    return Labels(
        jira_issue=known.jira_issue if known else None,
        pr_number=known.github_pr if known else None,
        current=line.branch == overview.current,
        orphan=line.branch in forest.orphans,
        cycle=line.branch in forest.in_cycle,
        also_parents=forest.also[line.branch],
        ahead=divergence.ahead if divergence else None,
        behind=divergence.behind if divergence else None,
    )


def _branch(line: Line, labels: Labels) -> TreeBranch:
    return TreeBranch.model_validate({
        "branch": line.branch,
        "children": list(line.children),
        **asdict(labels),
        "also_parents": list(labels.also_parents),
    })
