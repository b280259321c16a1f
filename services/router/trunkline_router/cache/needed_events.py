"""Whose changes a vendor tells of by which events: what must come for an answer to stay true."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

ALL = "*"
"""Every kind of event, as GitHub says it."""
COMMENT, RECORDING, ISSUE = "comment", "recording", "issue"
_OF_SERVER = "srv:"
_GITHUB = re.compile(r"(gh:[^:#@]+)([#@]?)[^:]*(?::([a-z-]+)(/?).*)?")
_BASECAMP = re.compile(r"(bc:\d+:\d+):\d+")
_JIRA = re.compile(r"(jira:[^:]+:[A-Z][A-Z0-9_]*)-\d+")


@dataclass(frozen=True, slots=True)
class Need:
    """What has to come for a tag: events of these kinds, of whatever `subject` names.

    `repository` is that as an operator writes it, empty for what is none.
    """

    subject: str
    kinds: frozenset[str]
    repository: str = ""


BY_SHAPE: Mapping[str, frozenset[str]] = {
    "#:comments": frozenset({"issue_comment", "pull_request_review_comment"}),
    "#:reviews": frozenset({
        "pull_request_review",
        "pull_request_review_comment",
        "pull_request_review_thread",
    }),
    "#:labels": frozenset({"issues", "pull_request", "label", "milestone"}),
    "#:diff": frozenset({"pull_request", "push"}),
    "@:checks": frozenset({"check_run", "check_suite", "status", "workflow_run", "workflow_job"}),
    ":checks/": frozenset({"check_run"}),
    ":runs": frozenset({"workflow_run", "workflow_job"}),
    ":runs/": frozenset({"workflow_run", "workflow_job"}),
    ":branches/": frozenset({"push"}),
    ":comments": frozenset({
        "issue_comment",
        "pull_request_review",
        "pull_request_review_comment",
    }),
    ":labels": frozenset({"label"}),
    ":issues": frozenset({"issues", "pull_request", "label", "milestone", "issue_comment"}),
}
"""By what a tag has after its repository, names and numbers left out: the events that tell of it.

One that is not among them stands for all beneath: what is needed for each of those.
"""
_NEUTRAL = (":edited-comments", ":changed-runs", ":written-issues")
"""What is bumped by writes of the mesh that cannot say what else they touch; an event can."""
EVERY: frozenset[str] = frozenset().union(*BY_SHAPE.values())


def is_neutral(tag: str) -> bool:
    """Say whether a tag is one that no event is about."""
    return tag.startswith(_OF_SERVER) or (
        tag.startswith(("gh:", "jira:")) and tag.endswith(_NEUTRAL)
    )


def need_of(tag: str) -> Need | None:
    """Return what must come for an answer under a tag to be told of each change; None: nothing can.

    Basecamp tells of recordings, but neither of chats nor of projects. What Jira finds may be any
    issue, and nothing shows that the events of all of them come.
    """
    if found := _GITHUB.fullmatch(tag):
        subject, kind, what, within = found.groups()
        shape = f"{kind}:{what}{within}" if what else kind
        kinds = BY_SHAPE.get(shape) or _beneath(shape)
        return Need(subject, kinds, subject.removeprefix("gh:"))
    if found := _BASECAMP.fullmatch(tag):
        return Need(found[1], frozenset({COMMENT, RECORDING}))
    if found := _JIRA.fullmatch(tag):
        return Need(found[1], frozenset({ISSUE, COMMENT}))
    return None


def _beneath(shape: str) -> frozenset[str]:
    return frozenset().union(*(kinds for each, kinds in BY_SHAPE.items() if each.startswith(shape)))
