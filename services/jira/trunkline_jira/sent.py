"""Issues, comments and accounts as Jira sends them; unknown fields are ignored, nulls tolerated."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Sent(BaseModel):
    """An object of the vendor's: read-only, and open to fields that are not read here."""

    model_config = ConfigDict(frozen=True, extra="ignore")


def _text(value: object) -> object:
    return "" if value is None else value


def listed(value: object) -> object:
    """Take null for an empty list."""
    return () if value is None else value


def _moment(value: object) -> object:
    """Read `2023-10-02T09:00:00.000+0000`, whose offset has no colon; all else is left as it is."""
    if isinstance(value, str) and len(value) > len("+0000") and value[-5] in "+-":
        return f"{value[:-2]}:{value[-2:]}"
    return value


Text = Annotated[str, BeforeValidator(_text)]
Moment = Annotated[datetime, BeforeValidator(_moment)]


class SentUser(Sent):
    """An account; Cloud tells `accountId`, Data Center `name`."""

    accountId: str | None = None  # noqa: N815 - Jira's spelling
    name: str | None = None
    key: str | None = None
    displayName: str | None = None  # noqa: N815 - Jira's spelling
    emailAddress: str | None = None  # noqa: N815 - Jira's spelling
    active: bool | None = None
    timeZone: str | None = None  # noqa: N815 - Jira's spelling
    locale: str | None = None


class Named(Sent):
    """A priority, type, resolution, version: what is shown by its name."""

    id: str | None = None
    name: Text = ""


class StatusCategory(Sent):
    """`key` is `new`, `indeterminate`, `done` or `undefined`, whatever the language."""

    key: Text = ""
    name: Text = ""


class SentStatus(Named):
    """A status; older servers and some apps send no category."""

    statusCategory: StatusCategory | None = None  # noqa: N815 - Jira's spelling


class SentAttachment(Sent):
    """A file's name; the file is never asked for."""

    id: str | None = None
    filename: Text = ""
    mediaApiFileId: str | None = None  # noqa: N815 - Jira's spelling


class ShortFields(Sent):
    """What other issues show of an issue."""

    summary: Text = ""
    status: SentStatus | None = None
    issuetype: Named | None = None


class ShortIssue(Sent):
    """An issue as a link, a parent or a subtask; what the account may not see has no fields."""

    key: str
    fields: ShortFields | None = None


class LinkType(Sent):
    """How a link reads from either end."""

    name: Text = ""
    inward: Text = ""
    outward: Text = ""


class SentLink(Sent):
    """One end of a link."""

    type: LinkType | None = None
    inwardIssue: ShortIssue | None = None  # noqa: N815 - Jira's spelling
    outwardIssue: ShortIssue | None = None  # noqa: N815 - Jira's spelling


NamedList = Annotated[tuple[Named, ...], BeforeValidator(listed)]
Texts = Annotated[tuple[str, ...], BeforeValidator(listed)]


class SentFields(Sent):
    """The fields of an issue; each may be missing, because it was not asked for, or null."""

    model_config = ConfigDict(frozen=True, extra="allow")

    summary: Text = ""
    description: Any = None
    status: SentStatus | None = None
    assignee: SentUser | None = None
    reporter: SentUser | None = None
    issuetype: Named | None = None
    priority: Named | None = None
    resolution: Named | None = None
    labels: Texts = ()
    fixVersions: NamedList = ()  # noqa: N815 - Jira's spelling
    parent: ShortIssue | None = None
    subtasks: Annotated[tuple[ShortIssue, ...], BeforeValidator(listed)] = ()
    issuelinks: Annotated[tuple[SentLink, ...], BeforeValidator(listed)] = ()
    attachment: Annotated[tuple[SentAttachment, ...], BeforeValidator(listed)] = ()
    created: Moment | None = None
    updated: Moment | None = None


class SentIssue(Sent):
    """An issue; `names` says what people call the fields when that was asked for."""

    id: Text = ""
    key: str
    fields: SentFields = SentFields()
    names: dict[str, str] | None = None


class Visibility(Sent):
    """A role or group that a comment is for."""

    type: Text = ""
    value: Text = ""


class SentComment(Sent):
    """A comment; `author` is missing or null for a deleted account."""

    id: str
    author: SentUser | None = None
    body: Any = None
    created: Moment | None = None
    updated: Moment | None = None
    visibility: Visibility | None = None
    jsdPublic: bool | None = None  # noqa: N815 - Jira's spelling


class SentComments(Sent):
    """A page of comments; `total` counts all of them."""

    startAt: int = 0  # noqa: N815 - Jira's spelling
    maxResults: int = 0  # noqa: N815 - Jira's spelling
    total: int = 0
    comments: Annotated[tuple[SentComment, ...], BeforeValidator(listed)] = ()


class SentField(Sent):
    """A field of the site, by the id that requests take."""

    id: str
    name: Text = ""
    custom: bool = False
