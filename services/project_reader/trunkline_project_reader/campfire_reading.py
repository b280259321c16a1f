"""Reading what was said in a campfire, the newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trunkline_project_reader.basecamp.belonging import all_within
from trunkline_project_reader.basecamp.campfire import SentLine, SentLineFile, lines
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import CHAT
from trunkline_project_reader.basecamp.listing import Extent, Listed, Listing
from trunkline_project_reader.basecamp.projects import dock_tool
from trunkline_project_reader.bodies import bodies_of
from trunkline_project_reader.campfire_models import LineEntry, Lines
from trunkline_project_reader.line_texts import plain_text, rich_text
from trunkline_project_reader.results import File, author_of, ending
from trunkline_shared.listing import choose

_FIRST_LOOK = 15
"""A page of Basecamp's: who asks for what is new since a moment ago rarely needs another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CampfireQuery:
    """Which campfire of a project to read, how many lines, and how far back."""

    project_id: int
    chat_id: int = 0
    since: datetime | None = None
    limit: int = 50
    cursor: str = ""


async def read(basecamp: Basecamp, query: CampfireQuery, fields: Sequence[str]) -> Lines:
    """Return the newest lines of a campfire.

    Raises InvalidInput for an unknown field before anything is asked, ToolNotEnabled for a project
    without a campfire, else a TrunklineError.
    """
    choose((), fields, LineEntry)
    chat = await dock_tool(basecamp, query.project_id, CHAT, query.chat_id)
    listing = Listing(endpoints=(lines(chat.id),), question=("lines", chat.id))
    listed = await _recent(basecamp, listing, query)
    all_within(listed.items, query.project_id)
    entries = await _entries(listed.items)
    return Lines(chat_id=chat.id, items=choose(entries, fields, LineEntry), **ending(listed))


async def _recent(
    basecamp: Basecamp, listing: Listing[SentLine], query: CampfireQuery
) -> Listed[SentLine]:
    """Read no further than must be: the lines are in order, so an old one ends them."""
    if query.since is None:
        extent = Extent(cursor=query.cursor, max_items=query.limit)
        return await basecamp.listed(listing, extent)
    first = min(query.limit, _FIRST_LOOK)
    listed = await basecamp.listed(listing, Extent(cursor=query.cursor, max_items=first))
    before: tuple[SentLine, ...] = ()
    if first < query.limit and listed.has_more and _all_new(listed.items, query.since):
        before, cursor = listed.items, listed.page_info.next_cursor or ""
        extent = Extent(cursor=cursor, max_items=query.limit - len(before))
        listed = await basecamp.listed(listing, extent)
    return _cut(before, listed, query.since)


def _all_new(found: Sequence[SentLine], since: datetime) -> bool:
    return all(_is_new(one, since) for one in found)


def _is_new(line: SentLine, since: datetime) -> bool:
    return line.created_at is None or line.created_at >= since


def _cut(
    before: tuple[SentLine, ...], listed: Listed[SentLine], since: datetime
) -> Listed[SentLine]:
    """Leave out what is older, and end the list there."""
    new = tuple(one for one in listed.items if _is_new(one, since))
    goes_on = listed.has_more and len(new) == len(listed.items)
    info = listed.page_info.model_copy(
        update={
            "has_more": goes_on,
            "next_page": None,
            "next_cursor": listed.page_info.next_cursor if goes_on else None,
            "total_count": None,
            "returned": len(before) + len(new),
            "truncated": listed.page_info.truncated and goes_on,
        }
    )
    return Listed(items=before + new, page_info=info, source=listed.source)


async def _entries(found: Sequence[SentLine]) -> list[LineEntry]:
    texts = {one.id: text for one in found if (text := rich_text(one)) is not None}
    bodies = dict(zip(texts, await bodies_of(texts.values()), strict=True))
    return [
        LineEntry(
            id=one.id,
            author=author_of(one.creator),
            created_at=one.created_at,
            text=bodies[one.id].markdown if one.id in bodies else plain_text(one),
            attachments=[_file(file) for file in one.attachments],
            url=one.app_url,
        )
        for one in found
    ]


def _file(sent: SentLineFile) -> File:
    return File(
        filename=sent.filename or sent.title,
        content_type=sent.content_type,
        byte_size=sent.byte_size,
        download_url=sent.download_url,
        url=sent.url,
        caption="",
    )
