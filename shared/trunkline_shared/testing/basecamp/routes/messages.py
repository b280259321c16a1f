"""Messages of a board (bc3-api, sections/messages.md)."""

from trunkline_shared.testing.basecamp.access import recording_named, sees, tool_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.messages import message
from trunkline_shared.testing.basecamp.recordings import Message
from trunkline_shared.testing.stand_in.call import Answer


def list_messages(asked: Asked) -> Answer:
    """Return a page of the active messages of a board, newest first unless asked otherwise."""
    board = tool_named(asked, "message_board", "board_id")
    found = [
        one
        for one in asked.account.of_kind(Message)
        if one.parent is board and one.status == "active" and sees(asked, one)
    ]
    by_change = asked.query.get("sort") == "updated_at"
    found.sort(
        key=lambda one: one.updated_at if by_change else one.created_at,
        reverse=asked.query.get("direction") != "asc",
    )
    return paged(asked, found, lambda one: message(one, asked.urls))


def get_message(asked: Asked) -> Answer:
    """Return one message."""
    return Answer(json=message(recording_named(asked, Message, "message_id"), asked.urls))


SHOWN = (
    Shown(path="/message_boards/{board_id}/messages.json", show=list_messages),
    Shown(path="/messages/{message_id}.json", show=get_message),
)
