"""What the tools about changes return."""

from pydantic import Field

from trunkline_jira.models import Category, Result


class AddedComment(Result):
    """The comment that was added."""

    id: str
    key: str
    url: str


class ScreenField(Result):
    """A field of a transition's screen; `allowed` are the values that it takes, if they are few."""

    id: str
    name: str
    required: bool
    type: str = ""
    allowed: list[str] = Field(default_factory=list)


class JiraTransition(Result):
    """A way out of an issue's present status."""

    id: str
    name: str
    to: str | None
    to_category: Category | None
    fields: list[ScreenField]


class JiraTransitions(Result):
    """What may be done with an issue now."""

    key: str
    transitions: list[JiraTransition]


class Transitioned(Result):
    """The issue after its transition.

    `changed` is false when it was in that status already; then no comment was added and no field
    was set. `comment_problem` says why a comment is not there although the issue has moved.
    """

    key: str
    status: str | None
    status_category: Category | None
    changed: bool
    comment_added: bool
    comment_problem: str | None = None
    url: str
