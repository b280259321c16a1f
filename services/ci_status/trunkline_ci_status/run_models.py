"""What the tools of workflow runs return."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from trunkline_shared.listing import Entry, PageInfo, Source


class ListedRun(Entry):
    """A workflow run; `actor` and `head_repository` are null when they were deleted."""

    id: int = 0
    name: str = ""
    title: str = ""
    status: str | None = None
    conclusion: str | None = None
    html_url: str = ""
    created_at: datetime | None = None
    updated_at: datetime | None = None
    run_number: int = 0
    run_attempt: int = 1
    event: str = ""
    workflow_id: int = 0
    path: str = ""
    head_sha: str = ""
    head_branch: str | None = None
    head_repository: str | None = None
    actor: str | None = None


class ListedRuns(BaseModel):
    """A page of workflow runs, newest first."""

    model_config = ConfigDict(frozen=True)

    runs: list[ListedRun]
    page_info: PageInfo
    has_more: bool
    source: Source


class Changed(BaseModel):
    """Whether GitHub took the request; if not, `reason` says why (already_completed, running).

    `run_attempt` is the attempt that it was about: a re-run begins the next one.
    """

    model_config = ConfigDict(frozen=True)

    accepted: bool
    run_id: int
    run_attempt: int
    html_url: str
    reason: str | None = None
