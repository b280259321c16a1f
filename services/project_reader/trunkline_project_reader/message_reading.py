"""Reading message boards and messages (bc3-api, sections/messages.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trunkline_project_reader.arguments import BodyForm
from trunkline_project_reader.basecamp.belonging import all_within
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.dock import MESSAGE_BOARD
from trunkline_project_reader.basecamp.holding import found
from trunkline_project_reader.basecamp.listing import Extent, Listing
from trunkline_project_reader.basecamp.models import SentMessage
from trunkline_project_reader.basecamp.projects import dock_tool
from trunkline_project_reader.basecamp.reading import get, one, page
from trunkline_project_reader.bodies import Body, RichText, bodies_of, form_in, markdown_of
from trunkline_project_reader.comments import comment_entries, comments_on
from trunkline_project_reader.message_models import Message, MessageEntry, Messages
from trunkline_project_reader.results import author_of, ending, file_of
from trunkline_shared.listing import choose

Sort = Literal["created_at", "updated_at"]
Direction = Literal["desc", "asc"]

MOST_COMMENTS = 100

_MESSAGES = "/message_boards/{board_id}/messages.json"
_MESSAGE = "/messages/{message_id}.json"
_read_message = one(SentMessage)
_read_page = page(SentMessage)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuery:
    """Which board of a project to list, in which order, and how much of each text."""

    project_id: int
    board_id: int = 0
    sort: Sort = "created_at"
    direction: Direction = "desc"
    body: BodyForm = "full"


async def browse(
    basecamp: Basecamp, query: BoardQuery, extent: Extent, fields: Sequence[str]
) -> Messages:
    """Return a part of a message board.

    Raises InvalidInput for an unknown field before anything is asked, ToolNotEnabled for a project
    without a message board, else a TrunklineError.
    """
    choose((), fields, MessageEntry)
    board = await dock_tool(basecamp, query.project_id, MESSAGE_BOARD, query.board_id)
    order = (("sort", query.sort), ("direction", query.direction))
    listing = Listing(
        endpoints=(get(_MESSAGES, _read_page, order, board_id=board.id),),
        question=("messages", board.id, query.sort, query.direction),
    )
    listed = await basecamp.listed(listing, extent)
    messages = all_within(listed.items, query.project_id)
    form = form_in(fields, "content", query.body)
    bodies = await bodies_of(map(_text, messages), form)
    entries = [_entry(*pair, form) for pair in zip(messages, bodies, strict=True)]
    return Messages(
        message_board_id=board.id,
        items=choose(entries, fields, MessageEntry),
        **ending(listed),
    )


async def read(
    basecamp: Basecamp, project_id: int, message_id: int, *, include_comments: bool
) -> Message:
    """Return a message in full. Raises BlockedByPolicy, or a TrunklineError."""
    endpoint = get(_MESSAGE, _read_message, message_id=message_id)
    message = await found(basecamp, project_id, endpoint)
    body = await markdown_of(message.content, message.content_attachments)
    whole = _whole(message, body)
    if not include_comments:
        return whole
    extent = Extent(max_items=MOST_COMMENTS)
    listed = await comments_on(basecamp, message_id, extent)
    entries = await comment_entries(listed)
    return whole.model_copy(update={"comments": entries, "comments_page": listed.page_info})


def _text(message: SentMessage) -> RichText:
    return RichText(html=message.content, attachments=message.content_attachments)


def _entry(message: SentMessage, body: Body, form: BodyForm) -> MessageEntry:
    return MessageEntry(
        id=message.id,
        title=message.subject or message.title,
        author=author_of(message.creator),
        created_at=message.created_at,
        updated_at=message.updated_at,
        url=message.app_url,
        content=None if form == "none" else body.markdown,
        comments_count=message.comments_count,
        category=message.category.name if message.category else None,
    )


def _whole(message: SentMessage, body: Body) -> Message:
    return Message(
        id=message.id,
        title=message.subject or message.title,
        author=author_of(message.creator),
        status=message.status,
        created_at=message.created_at,
        updated_at=message.updated_at,
        url=message.app_url,
        content=body.markdown,
        comments_count=message.comments_count,
        category=message.category.name if message.category else None,
        attachments=[file_of(one) for one in body.attachments],
        mentions=list(body.mentions),
    )
