"""Lines of a campfire, as Basecamp sends them (bc3-api, sections/campfires.md)."""

from typing import Annotated

from trunkline_project_reader.basecamp.models import Html, OrNothing, Sent, SentRecording, Words
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_LINES = "/chats/{chat_id}/lines.json"
_NEWEST_FIRST = (("sort", "created_at"), ("direction", "desc"))


class SentLineFile(Sent):
    """A file that a line shows."""

    filename: Words = ""
    title: Words = ""
    content_type: Words = ""
    byte_size: int | None = None
    download_url: Words = ""
    url: Words = ""


class SentLine(SentRecording):
    """A line: words, code, or files, then without a content."""

    content: Html = ""
    attachments: Annotated[tuple[SentLineFile, ...], OrNothing] = ()


_read_lines = page(SentLine)


def lines(chat_id: int) -> Endpoint[Page[SentLine]]:
    """List the lines of a campfire, newest first.

    The order is asked for: without, the oldest of the whole history come
    (https://github.com/basecamp/basecamp-cli/issues/284).
    """
    return get(_LINES, _read_lines, _NEWEST_FIRST, chat_id=chat_id)
