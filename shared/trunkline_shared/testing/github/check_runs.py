"""Check suites, check runs with their annotations, and commit statuses."""

from dataclasses import dataclass, field
from datetime import datetime

from trunkline_shared.testing.github.people import App


@dataclass(slots=True, kw_only=True, eq=False)
class CheckSuite:
    """What one app checks on one commit; `app` None is a deleted one."""

    id: int
    head_sha: str
    app: App | None


@dataclass(slots=True, kw_only=True, eq=False)
class Annotation:
    """A remark of a check on lines of a file."""

    path: str
    start_line: int
    end_line: int
    level: str = "failure"
    message: str | None = "broken"
    title: str | None = None


@dataclass(slots=True, kw_only=True, eq=False)
class CheckRun:
    """One check; a second one of the same name in the same suite stands in its place."""

    id: int
    suite: CheckSuite
    name: str
    status: str
    conclusion: str | None
    started_at: datetime | None
    completed_at: datetime | None
    title: str | None = None
    summary: str | None = None
    annotations: list[Annotation] = field(default_factory=list)

    def finish(self, conclusion: str, at: datetime) -> None:
        """End the check."""
        self.status, self.conclusion, self.completed_at = "completed", conclusion, at


@dataclass(slots=True, kw_only=True, eq=False)
class CommitStatus:
    """A state that somebody set on a commit under a context."""

    id: int
    head_sha: str
    context: str
    state: str
    description: str | None
    at: datetime
