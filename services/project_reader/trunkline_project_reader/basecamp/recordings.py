"""Recordings of a type in many projects, as Basecamp sends them.

bc3-api, sections/recordings.md.
"""

from typing import Literal

from trunkline_project_reader.basecamp.models import Html, SentRecording, Truth
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_project_reader.basecamp.todos import Day, Query
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

RecordingType = Literal[
    "Comment",
    "Document",
    "Kanban::Card",
    "Kanban::Step",
    "Message",
    "Question::Answer",
    "Schedule::Entry",
    "Todo",
    "Todolist",
    "Upload",
    "Vault",
]

_RECORDINGS = "/projects/recordings.json"
_PLAIN_CONTENT = "Todo"
"""The type whose `content` is no rich text but its title."""


class SentGenericRecording(SentRecording):
    """A recording of any type, with what several types have."""

    content: Html = ""
    description: Html = ""
    completed: Truth = False
    due_on: Day = None

    @property
    def text(self) -> str:
        """Its rich text, whatever it is called."""
        return self.description if self.type == _PLAIN_CONTENT else self.content or self.description


_read_recordings = page(SentGenericRecording)


def recordings(query: Query) -> Endpoint[Page[SentGenericRecording]]:
    """List the recordings that a query names; its `type` is needed."""
    return get(_RECORDINGS, _read_recordings, query)
