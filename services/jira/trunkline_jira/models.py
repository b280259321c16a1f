"""What the tools of the jira server return."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from trunkline_jira.bodies import Text
from trunkline_shared.listing import Entry, PageInfo

Category = Literal["to_do", "in_progress", "done"]


class Result(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)


class Related(Result):
    """Another issue as this one shows it; `relation` reads from this issue to that one.

    `hidden` says that its project is not one that the mesh may touch, so that only the key is told.
    """

    key: str
    summary: str = ""
    status: str | None = None
    status_category: Category | None = None
    relation: str = ""
    hidden: bool = False


class JiraComment(Entry):
    """A comment; `author` is null for a deleted account.

    `visibility` names the role or group that it is for; `internal` is Service Management's flag.
    """

    id: str = ""
    author: str | None = None
    author_id: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    body: Text = None
    visibility: str | None = None
    internal: bool = False
    url: str = ""
    lossy: list[str] = Field(default_factory=list)


class JiraIssue(Entry):
    """An issue; what is empty in Jira is null or empty here.

    `comments` are the newest, oldest first, of `comments_total`. `custom` holds the further fields
    that were asked for, by what people call them. `lossy` names what lost some of its form on the
    way to Markdown. `moved_from` is the key that was asked for when the issue has another one now.
    """

    key: str = ""
    summary: str = ""
    description: Text = None
    status: str | None = None
    status_category: Category | None = None
    assignee: str | None = None
    assignee_id: str | None = None
    url: str = ""
    type: str | None = None
    priority: str | None = None
    reporter: str | None = None
    labels: list[str] = Field(default_factory=list)
    parent: Related | None = None
    fix_versions: list[str] = Field(default_factory=list)
    created: datetime | None = None
    updated: datetime | None = None
    resolution: str | None = None
    links: list[Related] = Field(default_factory=list)
    subtasks: list[Related] = Field(default_factory=list)
    attachments: list[str] = Field(default_factory=list)
    comments: list[JiraComment] = Field(default_factory=list)
    comments_total: int | None = None
    custom: dict[str, JsonValue] = Field(default_factory=dict)
    lossy: list[str] = Field(default_factory=list)
    moved_from: str | None = None


class JiraComments(Result):
    """A page of an issue's comments."""

    key: str
    comments: list[JiraComment]
    page_info: PageInfo
    has_more: bool


class Myself(Result):
    """The account in whose name Jira is asked; `account` is what JQL and assignees take."""

    account: str
    name: str
    email: str | None
    active: bool
    time_zone: str | None
    flavour: Literal["cloud", "data_center"]
    url: str
