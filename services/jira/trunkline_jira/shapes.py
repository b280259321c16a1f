"""From what Jira sent to what agents read."""

from collections.abc import Iterable

from trunkline_jira.keys import KeyRules
from trunkline_jira.models import Category, Related
from trunkline_jira.projects import AllowedProjects
from trunkline_jira.sent import Named, SentLink, SentStatus, SentUser, ShortIssue
from trunkline_shared.untrusted import sanitize

_CATEGORIES: dict[str, Category] = {
    "new": "to_do",
    "indeterminate": "in_progress",
    "done": "done",
}


def name_of(thing: Named | None) -> str | None:
    """Return the name of a status, type, priority or resolution; None where there is none."""
    return sanitize(thing.name) or None if thing is not None else None


def names_of(things: Iterable[Named]) -> list[str]:
    """Return the names of those that have one."""
    return [name for thing in things if (name := name_of(thing))]


def category_of(status: SentStatus | None) -> Category | None:
    """Return the category of a status in one spelling, whatever Jira's language."""
    if status is None or status.statusCategory is None:
        return None
    return _CATEGORIES.get(status.statusCategory.key.lower())


def person(user: SentUser | None) -> str | None:
    """Return what people call an account; None for nobody and for a deleted one."""
    if user is None:
        return None
    return sanitize(user.displayName or user.name or user.accountId or "") or None


def account(user: SentUser | None) -> str | None:
    """Return what JQL and assignees take: the account id on Cloud, the name on Data Center."""
    return None if user is None else user.accountId or user.name or user.key


def related(issue: ShortIssue, allowed: AllowedProjects, relation: str = "") -> Related:
    """Return another issue; of one that the mesh may not touch only the key is told."""
    key = KeyRules.sent(issue.key)
    if key is None or not allowed.allows(key.project):
        return Related(key=sanitize(issue.key), relation=sanitize(relation), hidden=True)
    fields = issue.fields
    return Related(
        key=str(key),
        summary=sanitize(fields.summary) if fields else "",
        status=name_of(fields.status) if fields else None,
        status_category=category_of(fields.status) if fields else None,
        relation=sanitize(relation),
    )


def linked(links: Iterable[SentLink], allowed: AllowedProjects) -> list[Related]:
    """Return the issues at the other ends of links."""
    found: list[Related] = []
    for link in links:
        kind = link.type
        if link.outwardIssue is not None:
            found.append(related(link.outwardIssue, allowed, kind.outward if kind else ""))
        if link.inwardIssue is not None:
            found.append(related(link.inwardIssue, allowed, kind.inward if kind else ""))
    return found
