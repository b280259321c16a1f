"""Changing an issue's fields; what is so already is not sent."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from trunkline_issues.before_write import present, require_issue
from trunkline_issues.issue_endpoints import update_issue
from trunkline_issues.issue_models import Changed
from trunkline_issues.issue_shapes import assignees_of, labels_of, milestone_of
from trunkline_issues.issue_text import checked_body, checked_title
from trunkline_issues.labelling import spelled
from trunkline_issues.sent_issues import SentIssue
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import same_text
from trunkline_shared.github.markers import marker_of
from trunkline_shared.github.repository import Repository
from trunkline_shared.untrusted import sanitize

Clearable = Literal["body", "labels", "assignees", "milestone", "type"]

_EMPTY: Mapping[str, object] = {
    "body": "",
    "labels": [],
    "assignees": [],
    "milestone": None,
    "type": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an issue shall be: empty values stay as they are, `clear` names what is emptied."""

    title: str = ""
    body: str = ""
    labels: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    milestone: int = 0
    type: str = ""
    clear: tuple[Clearable, ...] = ()
    create_missing: bool = False

    def __post_init__(self) -> None:
        both = [name for name in self.clear if getattr(self, name)]
        if both:
            raise InvalidInput(
                f"{both[0]} is given and in clear as well.",
                hint="Give it a new value, or clear it.",
                details={
                    "field_errors": [{"field": "clear", "problem": "contradicts an argument"}]
                },
            )
        given = (self.title, self.body, self.labels, self.assignees, self.milestone, self.type)
        if not any(given) and not self.clear:
            raise InvalidInput(
                "There is nothing to change.",
                hint="Give title, body, labels, assignees, milestone or type, or clear.",
            )


async def change(github: GitHub, repository: Repository, number: int, wanted: Change) -> Changed:
    """Set what is wanted and is not so yet; a marker at the head of the body stays.

    Raises InvalidInput for a pull request's number and for labels that the repository lacks.
    """
    checked = _checked_texts(wanted)
    issue = await present(github, repository, number)
    require_issue(issue, instead="Change a pull request with update_pull_request.")
    fields = {**_fields(issue, wanted), **checked}
    if wanted.labels:
        fields["labels"] = list(
            await spelled(github, repository, wanted.labels, create_missing=wanted.create_missing)
        )
    fields = {name: value for name, value in fields.items() if not _is_so(issue, name, value)}
    after = issue
    if fields:
        after = await github.fetch(update_issue(repository, number, fields))
    return _changed(after, edited=bool(fields))


def _checked_texts(wanted: Change) -> dict[str, object]:
    checked_body(wanted.body, None)
    return {"title": checked_title(wanted.title)} if wanted.title else {}


def _fields(issue: SentIssue, wanted: Change) -> dict[str, object]:
    marker = marker_of(issue.body)
    fields: dict[str, object] = {name: _EMPTY[name] for name in wanted.clear}
    if wanted.body or "body" in wanted.clear:
        fields["body"] = checked_body(wanted.body, marker or marker_of(wanted.body))
    if wanted.assignees:
        fields["assignees"] = list(wanted.assignees)
    if wanted.milestone:
        fields["milestone"] = wanted.milestone
    if wanted.type:
        fields["type"] = wanted.type
    return fields


def _is_so(issue: SentIssue, name: str, value: object) -> bool:
    """Say whether a field has this value already."""
    match name, value:
        case "title", _:
            return issue.title == value
        case "body", str(body):
            return same_text(issue.body, body)
        case "labels", list(names):
            return _same_names(issue.label_names, names)
        case "assignees", list(names):
            return _same_names([user.login for user in issue.assignees], names)
        case "milestone", _:
            return (None if issue.milestone is None else issue.milestone.number) == value
        case _:
            return (None if issue.type is None else issue.type.name) == value


def _same_names(one: Collection[str], other: Collection[object]) -> bool:
    return {name.casefold() for name in one} == {str(name).casefold() for name in other}


def _changed(issue: SentIssue, *, edited: bool) -> Changed:
    return Changed(
        number=issue.number,
        title=sanitize(issue.title),
        url=issue.html_url,
        state=issue.state,
        edited=edited,
        labels=labels_of(issue),
        assignees=assignees_of(issue),
        milestone=milestone_of(issue),
        updated_at=issue.updated_at,
    )
