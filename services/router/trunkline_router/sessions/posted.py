"""One POST of a legacy client: what is told while it runs, and what it comes to."""

import asyncio
from dataclasses import dataclass, field

from trunkline_router.sessions.event_log import EventLog
from trunkline_router.wire.answer import Answer
from trunkline_router.wire.event import data_of


@dataclass(slots=True, kw_only=True, eq=False)
class Posted:
    """Its requests under way. The stream begins with the first thing to tell, if one is taken.

    `answers` are in the order of the requests, None for one that is cancelled or not yet through.
    `ready` is set when the stream has begun or all is answered.
    """

    log: EventLog
    streams: bool
    answers: list[Answer | None]
    left: int
    begun: bool = False
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, frame: bytes) -> None:
        """Take an event from a server; a comment is nothing to tell."""
        data = data_of(frame)
        if self.streams and data:
            self.begin()
            self.log.tell(data)

    def begin(self) -> None:
        """Begin the stream; what has been answered before comes first."""
        if not self.begun:
            self.begun = True
            for answer in self.answers:
                if answer is not None:
                    self.log.tell(answer.to_bytes(), answers=True)
            self.ready.set()

    def answered(self, position: int, answer: Answer | None) -> None:
        """Note what a request has come to: None when it was cancelled, and is not answered."""
        self.answers[position] = answer
        self.left -= 1
        if answer is not None and self.begun:
            self.log.tell(answer.to_bytes(), answers=True)
        if not self.left:
            self.log.end()
            self.ready.set()
