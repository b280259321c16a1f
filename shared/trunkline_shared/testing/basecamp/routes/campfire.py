"""Lines of a campfire (bc3-api, sections/campfires.md).

Without `direction` the oldest come first (https://github.com/basecamp/basecamp-cli/pull/371).
"""

from trunkline_shared.testing.basecamp.access import sees, tool_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.campfire import Line
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.campfire import line
from trunkline_shared.testing.stand_in.call import Answer


def list_lines(asked: Asked) -> Answer:
    """Return a page of what was said in a campfire."""
    chat = tool_named(asked, "chat", "chat_id")
    found = [
        one
        for one in asked.account.of_kind(Line)
        if one.parent is chat and one.status == "active" and sees(asked, one)
    ]
    found.sort(key=lambda one: one.created_at, reverse=asked.query.get("direction") == "desc")
    return paged(asked, found, lambda one: line(one, asked.urls))


SHOWN = (Shown(path="/chats/{chat_id}/lines.json", show=list_lines),)
