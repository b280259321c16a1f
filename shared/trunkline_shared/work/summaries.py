"""What is kept of the servers' answers: enough to say how the work stands, no more.

All of it is text from strangers; a model that reads it is given it as data.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Self, TypeVar

from pydantic import BaseModel, ConfigDict

from trunkline_shared.github.verdict import Bucket, bucket
from trunkline_shared.work.texts import Excerpt, Few, Line, Name

Answer = Mapping[str, object]
T = TypeVar("T")

FAILING: Final[tuple[Bucket, ...]] = ("failed", "cancelled", "action_required")
"""What a verdict of failing rests on."""


class Summary(BaseModel):
    """A part's data, read from a tool's answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Reviewer(Summary):
    """What a reviewer said last; `author` is null for a deleted account."""

    author: Line | None = None
    state: Line


class PullSummary(Summary):
    """A pull request; `mergeable` is null while GitHub computes it."""

    number: int
    title: Line
    state: Line
    draft: bool = False
    author: Line | None = None
    base: Line = ""
    head: Line = ""
    head_sha: Line = ""
    mergeable: bool | None = None
    review_decision: Line | None = None
    reviews: Few[Reviewer] = []
    labels: Few[Line] = []
    changed_files: int | None = None
    additions: int | None = None
    deletions: int | None = None
    updated_at: Line | None = None
    url: Line = ""
    body: Excerpt = ""
    other_pull_requests: Few[int] = []

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_pr_status`. Raises ValidationError."""
        pull = _mapping(answer.get("pull_request"))
        said = {key: answer.get(key) for key in ("review_decision", "reviews")}
        state = "merged" if pull.get("merged") is True else pull.get("state")
        return cls.model_validate({**pull, **said, "state": state})


class Signal(Summary):
    """A check, status or workflow run, by its name; `run_id` is what has its log."""

    name: Line
    url: Line | None = None
    run_id: int | None = None


class CiSummary(Summary):
    """How CI stands at a commit; `failed` are checks and statuses, else whole workflow runs."""

    verdict: Line
    head_sha: Line
    pr_number: int | None = None
    failed: Few[Signal] = []
    failed_count: int = 0
    pending: Few[Signal] = []
    pending_count: int = 0
    passed_count: int = 0
    notes: Few[Line] = []

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_ci_status`. Raises ValidationError."""
        signals = [*_signals(answer, "checks", "name"), *_signals(answer, "statuses", "context")]
        failed = _in(signals, *FAILING) or _in(_signals(answer, "runs", "name"), *FAILING)
        pending = _in(signals, "pending")
        return cls.model_validate({
            **answer,
            "verdict": _mapping(answer.get("summary")).get("verdict"),
            "failed": failed,
            "failed_count": len(failed),
            "pending": pending,
            "pending_count": len(pending),
            "passed_count": len(_in(signals, "passed")),
        })


class IssueSummary(Summary):
    """A Jira issue."""

    key: Line
    summary: Line
    status: Line | None = None
    status_category: Line | None = None
    assignee: Name = None
    type: Line | None = None
    priority: Line | None = None
    url: Line | None = None
    updated: Line | None = None
    description: Excerpt | None = None

    @classmethod
    def of(cls, answer: Answer) -> Self:
        """Read an answer of `get_jira_issue`. Raises ValidationError."""
        return cls.model_validate(answer)


def _signals(answer: Answer, part: str, name: str) -> Iterator[tuple[Bucket, dict[str, object]]]:
    entries = answer.get(part)
    for each in entries if isinstance(entries, Sequence) else ():
        entry = _mapping(each)
        status, conclusion = entry.get("status") or entry.get("state"), entry.get("conclusion")
        url = entry.get("html_url") or entry.get("url")
        run = entry.get("id") if part == "runs" else entry.get("run_id")
        told = {"name": entry.get(name), "url": url, "run_id": run}
        yield bucket(_text(status), _text(conclusion)), told


def _in(signals: Iterable[tuple[Bucket, T]], *wanted: Bucket) -> list[T]:
    return [signal for found, signal in signals if found in wanted]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _mapping(value: object) -> Answer:
    return value if isinstance(value, Mapping) else {}
