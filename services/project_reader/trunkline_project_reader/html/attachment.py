"""What is attached to a text: as Basecamp lists it beside the text, and as it is handed on.

https://github.com/basecamp/bc3-api/blob/master/sections/rich_text.md
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict

from trunkline_project_reader.html.markup import shown
from trunkline_project_reader.html.urls import address


class ListedAttachment(BaseModel):
    """An entry of a `content_attachments` or `description_attachments` array."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sgid: str | None = None
    attachable_sgid: str | None = None
    filename: str | None = None
    content_type: str | None = None
    byte_size: int | None = None
    width: int | None = None
    height: int | None = None
    caption: str | None = None
    download_url: str | None = None
    preview_url: str | None = None
    app_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file, an image, a link preview or something unknown that is part of a text.

    `url` shows it, `download_url` is the file itself and needs the account's token. Texts and
    addresses are "" where nobody knows them.
    """

    filename: str = ""
    content_type: str = ""
    byte_size: int | None = None
    url: str = ""
    download_url: str = ""
    caption: str = ""
    width: int | None = None
    height: int | None = None


_MOST_DIGITS = 15
_STEP = 1000
_NOT_LISTED = ListedAttachment()


@dataclass(slots=True)
class Listing:
    """The listed attachments of one text, each given to the tags that name it."""

    entries: Iterable[ListedAttachment] = ()
    _by_sgid: dict[str, ListedAttachment] = field(default_factory=dict)
    _by_filename: dict[str, ListedAttachment] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for entry in self.entries:
            for sgid in (entry.sgid, entry.attachable_sgid):
                self._by_sgid.setdefault(sgid or "", entry)
            self._by_filename.setdefault(entry.filename or "", entry)

    def entry(self, given: Mapping[str, str]) -> ListedAttachment:
        """Return the entry for a tag with these attributes: by sgid, else by file name."""
        sgid, filename = given.get("sgid"), given.get("filename")
        by_name = self._by_filename.get(filename, _NOT_LISTED) if filename else _NOT_LISTED
        return self._by_sgid.get(sgid, by_name) if sgid else by_name


def attachment(given: Mapping[str, str], listed: ListedAttachment) -> Attachment:
    """Return what a tag says, and before it what the list says."""
    return Attachment(
        filename=_line(listed.filename or given.get("filename", "")),
        content_type=_line(listed.content_type or given.get("content-type", "")).lower(),
        byte_size=_count(listed.byte_size, given.get("filesize", "")),
        url=address(given.get("url") or listed.preview_url or listed.app_url or ""),
        download_url=address(listed.download_url or given.get("href", "")),
        caption=_line(listed.caption or given.get("caption", "")),
        width=_count(listed.width, given.get("width", "")),
        height=_count(listed.height, given.get("height", "")),
    )


def _line(text: str) -> str:
    return " ".join(shown(text).split())


def _count(listed: int | None, given: str) -> int | None:
    if listed is not None:
        return listed
    return int(given) if given.isdecimal() and len(given) <= _MOST_DIGITS else None


def size(count: int) -> str:
    """Say how large a file is, as people do: `12.3 kB`."""
    if count < _STEP:
        return f"{count} B"
    amount, units = count / _STEP, ["TB", "GB", "MB", "kB"]
    while len(units) > 1 and round(amount, 1) >= _STEP:
        amount /= _STEP
        units.pop()
    return f"{amount:.1f} {units[-1]}"
