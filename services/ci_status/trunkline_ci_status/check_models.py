"""What the tools of check runs return."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from trunkline_shared.listing import Entry, PageInfo, Source


class ListedCheck(Entry):
    """A check run; `app` is the slug of the app that made it, null when it was deleted."""

    id: int = 0
    name: str = ""
    app: str | None = None
    status: str = ""
    conclusion: str | None = None
    title: str | None = None
    annotations_count: int = 0
    html_url: str | None = None
    details_url: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    head_sha: str = ""


class ListedChecks(BaseModel):
    """Check runs of a commit; those that a newer one superseded are counted."""

    model_config = ConfigDict(frozen=True)

    checks: list[ListedCheck]
    superseded: int
    page_info: PageInfo
    has_more: bool
    source: Source


class ListedAnnotation(Entry):
    """A remark on lines of a file; `level` is notice, warning or failure."""

    path: str = ""
    start_line: int = 0
    end_line: int = 0
    level: str | None = None
    message: str = ""
    title: str | None = None


class ListedAnnotations(BaseModel):
    """A page of annotations."""

    model_config = ConfigDict(frozen=True)

    annotations: list[ListedAnnotation]
    page_info: PageInfo
    has_more: bool
    source: Source
