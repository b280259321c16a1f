"""What `get_work_context` answers: parts, each there or missing by itself.

Texts in it are from strangers; a model that reads them is given them as data.
"""

from collections.abc import Mapping
from typing import Any, Final, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from trunkline_bridge.work.links import TodoLink, todo_link
from trunkline_shared.work.part import Part
from trunkline_shared.work.summaries import (
    Answer,
    CiSummary,
    IssueSummary,
    PullSummary,
    Reviewer,
    Signal,
    Summary,
)
from trunkline_shared.work.texts import Excerpt, Few, Line, Name


class BranchSummary(Summary):
    """The branch here, as twig and git have it."""

    branch: Line | None = None
    parent_branch: Line | None = None
    issue_key: Line | None = None
    pr_number: int | None = None
    head_sha: Line | None = None
    upstream: Line | None = None
    ahead: int | None = None
    behind: int | None = None
    dirty: bool | None = None
    detached: bool | None = None
    warnings: Few[Line] = Field(default_factory=list)

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_current_branch`. Raises ValidationError."""
        return cls.model_validate({**answer, "detached": answer.get("detached") or None})


class OpenPulls(Summary):
    """The open pull requests that come from a branch, the newest first."""

    numbers: tuple[int, ...]


class PullText(Summary):
    """What a pull request says before its reviews and checks are read: the to-do it names."""

    link: TodoLink | None

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_pull_request`."""
        return cls(link=_link(answer, "body"))


class Pull(PullSummary):
    """A pull request; `link` is the to-do that its text names."""

    _link: TodoLink | None = PrivateAttr(None)

    @property
    def link(self) -> TodoLink | None:
        return self._link

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_pr_status`. Raises ValidationError."""
        found = super().of(answer)
        pull = answer.get("pull_request")
        found._link = _link(pull, "body")  # noqa: SLF001 - its own
        return found


class Issue(IssueSummary):
    """A Jira issue; `link` is the to-do that its description names."""

    _link: TodoLink | None = PrivateAttr(None)

    @property
    def link(self) -> TodoLink | None:
        return self._link

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_jira_issue`. Raises ValidationError."""
        found = super().of(answer)
        found._link = _link(answer, "description")  # noqa: SLF001 - its own
        return found


def _link(holder: object, field: str) -> TodoLink | None:
    text = holder.get(field) if isinstance(holder, Mapping) else None
    return todo_link(text) if isinstance(text, str) else None


class Thread(Summary):
    """An open thread and how it began; `comments` counts all of them."""

    path: Line = ""
    line: int | None = None
    author: Line | None = None
    body: Excerpt = ""
    comments: int = 0
    comment_id: int | None = None
    is_outdated: bool = False


class Threads(Summary):
    """The oldest of the open threads; `unresolved` counts all that are open."""

    unresolved: int
    total: int
    threads: Few[Thread] = Field(default_factory=list)

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `list_review_threads`. Raises ValidationError."""
        return cls.model_validate(answer)


class Todo(Summary):
    """A to-do of Basecamp."""

    title: Line
    completed: bool = False
    due_on: Line | None = None
    assignees: Few[Name] = Field(default_factory=list)
    url: Line = ""
    content: Excerpt = ""

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_todo`. Raises ValidationError."""
        return cls.model_validate(answer)


class WorkContext(BaseModel):
    """The work at hand. A part that is missing says why: NOT_FOUND when there is none.

    `left_out` counts what did not fit: entries of lists by name, and `characters` of texts, which
    end in an ellipsis there.
    """

    model_config = ConfigDict(frozen=True)

    branch: Part[BranchSummary] = Part[BranchSummary]()
    pull_request: Part[Pull] = Part[Pull]()
    ci: Part[CiSummary] = Part[CiSummary]()
    threads: Part[Threads] = Part[Threads]()
    jira: Part[Issue] = Part[Issue]()
    todo: Part[Todo] = Part[Todo]()
    left_out: dict[str, int] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _told(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave out what says nothing: every agent pays for it."""
        told: dict[str, Any] = _lean(serialize(self))
        for part in told.values():
            if part.get("available") is True:
                part.pop("retryable", None)
        return told


REQUIRED: Final = frozenset(
    name
    for model in (BranchSummary, Pull, CiSummary, Threads, Thread, Issue, Todo, Reviewer, Signal)
    for name, field in model.model_fields.items()
    if field.is_required()
)
"""What is told even when it is empty: the output schema promises it."""


def _lean(value: Any) -> Any:
    if isinstance(value, list):
        return [_lean(each) for each in value]
    if not isinstance(value, dict):
        return value
    lean = {key: _lean(each) for key, each in value.items()}
    return {key: each for key, each in lean.items() if key in REQUIRED or not _says_nothing(each)}


def _says_nothing(value: object) -> bool:
    return value is None or value in ("", [], {})
