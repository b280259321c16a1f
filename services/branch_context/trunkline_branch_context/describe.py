"""Everything known of one branch: from HEAD when it is current, else from its reference."""

from pathlib import Path

from trunkline_branch_context.checkout import Checkout, Here, tracked
from trunkline_branch_context.divergence import Divergence
from trunkline_branch_context.heads import Head, reference_sha, shortened
from trunkline_branch_context.models import BranchInfo, WorktreeName
from trunkline_branch_context.place import Place
from trunkline_branch_context.state import RepoState
from trunkline_shared.work.issue_key import issue_key_of

Links = dict[str, str | int | bool | None]


def _keyed(links: Links, branch: str | None) -> Links:
    """Add the issue that the branch is about: a link's, or that in its name."""
    linked = links.get("jira_issue")
    return {**links, "issue_key": issue_key_of(branch, linked if isinstance(linked, str) else None)}


def links(place: Place, state: RepoState, branch: str | None) -> Links:
    """Return what twig's state links to a branch, under the names of the answers."""
    if branch is None:
        return {}
    known = tracked(place, state.branches, branch)
    return {
        "jira_issue": known.jira_issue if known else None,
        "pr_number": known.github_pr if known else None,
        "parent_branch": state.parent_of(branch),
        "created_at": known.created_at if known else None,
        "tracked": known is not None,
    }


async def describe_current(checkout: Checkout) -> BranchInfo:
    """Return the current branch, or the detached HEAD."""
    return _current(checkout, await checkout.here())


def _current(checkout: Checkout, here: Here) -> BranchInfo:
    head = here.head
    return BranchInfo.model_validate({
        "branch": head.branch,
        **_keyed(links(here.place, here.state, head.branch), head.branch),
        "detached": head.detached,
        "unborn": head.unborn,
        "head_sha": head.sha,
        "upstream": head.upstream,
        "ahead": head.ahead,
        "behind": head.behind,
        "dirty": head.dirty,
        "worktree": _worktree(checkout, here.place.toplevel, here.place),
        "exists_locally": head.branch is not None and head.sha is not None,
        "current": head.branch is not None,
        "warnings": list(here.state.warnings),
    })


async def describe(checkout: Checkout, branch: str) -> BranchInfo:
    """Return what is known of a branch; empty or `.` is the current one.

    Raises BranchNotFound, InvalidInput, NotFound (reason detached_head).
    """
    overview = await checkout.overview()
    name = await checkout.named(overview, branch)
    if name == overview.current:
        return await describe_current(checkout)
    head = overview.heads.get(name)
    divergence = await _from_upstream(checkout, head) if head else None
    return BranchInfo.model_validate({
        "branch": name,
        **_keyed(links(overview.place, overview.state, name), name),
        "head_sha": head.sha if head else None,
        "upstream": shortened(head.upstream) if head and head.upstream else None,
        "ahead": divergence.ahead if divergence else None,
        "behind": divergence.behind if divergence else None,
        "worktree": _worktree(checkout, Path(head.worktree), overview.place)
        if head and head.worktree
        else None,
        "exists_locally": head is not None,
        "warnings": list(overview.state.warnings),
    })


async def _from_upstream(checkout: Checkout, head: Head) -> Divergence | None:
    upstream = await reference_sha(checkout.git, head.upstream) if head.upstream else None
    if upstream is None:
        return None
    return await checkout.divergences.between(checkout.git, head.sha, upstream)


def _worktree(checkout: Checkout, at: Path, place: Place) -> WorktreeName:
    """Name a working tree; the main one is the one beside the common directory."""
    linked = place.linked if at == place.toplevel else at != place.common_dir.parent
    return WorktreeName(name=at.name, path=checkout.path(at), linked=linked)
