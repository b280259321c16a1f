"""Branches as entries of a list: which ones, in what order, and what is known of each."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from trunkline_branch_context.checkout import Overview
from trunkline_branch_context.describe import links
from trunkline_branch_context.heads import Head, shortened
from trunkline_branch_context.models import BranchEntry
from trunkline_shared.errors import InvalidInput
from trunkline_shared.listing import PageInfo, Source

PER_PAGE = 200
DAY_S = 86_400


def chosen_names(
    overview: Overview, *, include_untracked: bool, not_since: float | None
) -> list[str]:
    """Return the names to list, sorted.

    `not_since` in seconds since the epoch keeps the branches without a commit after it, and
    those that are gone from git.
    """
    names = set(overview.state.branches)
    if include_untracked:
        names |= overview.heads.keys()
    if not_since is None:
        return sorted(names)
    heads = overview.heads
    return sorted(n for n in names if n not in heads or heads[n].committed_at < not_since)


def entries(overview: Overview, names: Iterable[str]) -> list[BranchEntry]:
    """Return what is known of each branch without asking git again."""
    return [_entry(overview, name, overview.heads.get(name)) for name in names]


def _entry(overview: Overview, name: str, head: Head | None) -> BranchEntry:
    return BranchEntry.model_validate({
        "branch": name,
        **links(overview.place, overview.state, name),
        "exists_locally": head is not None,
        "current": name == overview.current,
        "head_sha": head.sha if head else None,
        "committed_at": _time(head.committed_at) if head else None,
        "upstream": shortened(head.upstream) if head and head.upstream else None,
    })


def _time(seconds: int) -> str | None:
    """Return RFC 3339; a commit may claim a time that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (OverflowError, OSError, ValueError):
        return None


def linked(overview: Overview, pr_number: int | None, issue_key: str) -> list[str]:
    """Return the branches that twig links to the pull request, and to the issue.

    Raises InvalidInput when neither is given.
    """
    state = overview.state
    found: list[Sequence[str]] = []
    if pr_number is not None:
        found.append(state.by_pull_request.get(pr_number, ()))
    if issue_key:
        found.append(state.by_issue.get(issue_key.strip().upper(), ()))
    if not found:
        raise InvalidInput(
            "resolve_branch: pr_number or issue_key is required",
            hint="Pass the one you have; with both, branches linked to both are returned.",
            details={"field_errors": [{"field": "pr_number", "problem": "is required"}]},
        )
    return sorted(set(found[0]).intersection(*found[1:]))


def page_of(names: Sequence[str], page: int) -> tuple[list[str], PageInfo]:
    """Return one page of names, and where it stands."""
    start = (page - 1) * PER_PAGE
    part = list(names[start : start + PER_PAGE])
    more = start + PER_PAGE < len(names)
    info = PageInfo(
        has_more=more,
        next_page=page + 1 if more else None,
        total_count=len(names),
        returned=len(part),
    )
    return part, info


def whole(returned: int) -> PageInfo:
    """Return where a list stands that is always answered whole."""
    return PageInfo(has_more=False, total_count=returned, returned=returned)


def source_at(now: float, head_sha: str | None = None) -> Source:
    """Return the source of what was read just now; `now` in seconds since the epoch."""
    return Source(fetched_at=datetime.fromtimestamp(now, UTC).isoformat(), head_sha=head_sha)
