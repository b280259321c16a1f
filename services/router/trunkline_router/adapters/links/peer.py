"""The client's half of a session: ids, matching, notifications, the server's own requests. No I/O.

Spec 2025-11-25, "Base protocol" and "Utilities".
"""

import logging
from collections.abc import Callable, Mapping

from mcp_types.jsonrpc import METHOD_NOT_FOUND

from trunkline_router.adapters.incoming import NotMcp, read_reply
from trunkline_router.adapters.links.client import Client
from trunkline_router.adapters.links.pending import Pending, Question
from trunkline_router.adapters.links.translation import meta_of
from trunkline_router.model import Json
from trunkline_shared import meta
from trunkline_shared.errors import UpstreamUnavailable

log = logging.getLogger(__name__)

Heard = Callable[[str, Json], None]
"""Takes a notification that belongs to no request: its method and params."""

_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_NEEDED: Mapping[str, str] = {
    "elicitation/create": "elicitation",
    "sampling/createMessage": "sampling",
    "roots/list": "roots",
}
_MOST_QUESTIONS = 16
_ROOTS = "roots/list"
_LISTEN = "subscriptions/listen"


class Peer:
    """What one session knows; `client` is who its server was told that it talks to.

    `unheard` are the lists whose change was told while nobody listened yet, `waiting` is what was
    asked while no call was there to ask it of.
    """

    def __init__(self, server: str, client: Client) -> None:
        self.server = server
        self.client = client
        self.pending: dict[int, Pending] = {}
        self.listeners: list[Heard] = []
        self.unheard: set[str] = set()
        self.waiting: list[Question] = []
        self._numbers = 0

    def number(self) -> int:
        """Return an id for the next request."""
        self._numbers += 1
        return self._numbers

    def begin(self, pending: Pending) -> None:
        self.pending[pending.number] = pending
        while pending.asks and self.waiting:
            pending.ask(self.waiting.pop(0))

    def forget(self, pending: Pending) -> None:
        self.pending.pop(pending.number, None)
        if pending.asks:
            left = [one for one in pending.questions.values() if one.method == _ROOTS]
            self.waiting += left[: _MOST_QUESTIONS - len(self.waiting)]

    def broken(self, error: Exception) -> None:
        """End whatever is open."""
        for pending in tuple(self.pending.values()):
            pending.end(error)

    def received(self, message: Json, of: Pending | None = None) -> Json | None:
        """Take a message of the server; returns the answer that goes back at once, if any.

        `of` is the request on whose stream it came, where the wire tells that.
        """
        method, params = message.get("method"), message.get("params")
        given = params if isinstance(params, dict) else {}
        if not isinstance(method, str):
            self._answered(message, of)
            return None
        if "id" in message:
            return self._asked(message, method, given, of)
        self._told(method, given, of)
        return None

    def _answered(self, message: Json, of: Pending | None) -> None:
        id_ = message.get("id")
        pending = of
        if isinstance(id_, int) and (of is None or id_ != of.number):
            # An answer on another request's stream is never taken for that request's.
            pending = self.pending.get(id_) if of is None else None
        if pending is None:
            log.debug("%s answered a request that is not open", self.server)
            return
        try:
            pending.end(read_reply(message, pending.number, 200))
        except NotMcp:
            pending.end(not_mcp(self.server))

    def _asked(self, message: Json, method: str, params: Json, of: Pending | None) -> Json | None:
        id_ = message["id"]
        if not isinstance(id_, int | str):
            return None
        if method == "ping":
            return {"jsonrpc": "2.0", "id": id_, "result": {}}
        if method == _ROOTS and self.client.is_router:
            return {"jsonrpc": "2.0", "id": id_, "result": {"roots": []}}
        asked = of if of is not None and of.asks else self._latest(lambda one: one.asks)
        offered = _NEEDED.get(method) in self.client.capabilities
        question = Question(id=id_, method=method, params=params)
        if offered and asked is not None and len(asked.questions) < _MOST_QUESTIONS:
            asked.ask(question)
        elif offered and asked is None and self._waits(question):
            self.waiting.append(question)
        else:
            log.info("%s asked for %s, which its caller does not offer", self.server, method[:64])
            return refusal(id_, f"{method[:64]} is not offered by this client.")
        return None

    def _waits(self, question: Question) -> bool:
        """Say whether it can be asked with the next call: roots are no single call's matter."""
        return question.method == _ROOTS and len(self.waiting) < _MOST_QUESTIONS

    def _told(self, method: str, params: Json, of: Pending | None) -> None:
        if method == "notifications/progress":
            self._progressed(params)
        elif method == "notifications/message":
            self._logged(params, of)
        elif method == "notifications/cancelled":
            for pending in self.pending.values():
                pending.withdraw(params.get("requestId"))
        elif (subscribed := self._subscribed(params)) is not None:
            subscribed.tell(method, params)
        else:
            if not self.listeners and method.endswith("/list_changed"):
                self.unheard.add(method)
            for heard in tuple(self.listeners):
                heard(method, params)

    def _progressed(self, params: Json) -> None:
        number = params.get("progressToken")
        pending = self.pending.get(number) if isinstance(number, int) else None
        if pending is not None and pending.token is not None:
            pending.tell("notifications/progress", params)

    def _logged(self, params: Json, of: Pending | None) -> None:
        level = params.get("level")
        pending = of or self._logging()
        if pending is None or pending.level is None or level not in _LEVELS:
            return
        if pending.level in _LEVELS and _LEVELS.index(str(level)) < _LEVELS.index(pending.level):
            return
        pending.tell("notifications/message", params)

    def _logging(self) -> Pending | None:
        """Return the request that a log message is of, where the wire does not tell."""
        if not self.client.is_router:
            return self._latest(lambda one: one.level is not None)
        # Different callers share this session: none of them must read of another's call.
        asked = [one for one in self.pending.values() if one.method != _LISTEN]
        return asked[0] if len(asked) == 1 else None

    def _subscribed(self, params: Json) -> Pending | None:
        number = meta_of(params).get(meta.SUBSCRIPTION_ID)
        return self.pending.get(number) if isinstance(number, int) else None

    def _latest(self, fits: Callable[[Pending], bool]) -> Pending | None:
        """Return the youngest open request that fits: a wire with one stream does not tell more."""
        return next((one for one in reversed(self.pending.values()) if fits(one)), None)


def more_verbose(level: str, than: str | None) -> bool:
    """Say whether a level of log messages lets more through than another."""
    if level not in _LEVELS:
        return False
    return than not in _LEVELS or _LEVELS.index(level) < _LEVELS.index(str(than))


def not_mcp(server: str) -> UpstreamUnavailable:
    """Return the failure of a server that does not keep to the protocol."""
    return UpstreamUnavailable(f"Server {server!r} answered something that is not MCP.")


def refusal(id_: int | str, message: str) -> Json:
    """Return the answer to a request that is not served."""
    return {"jsonrpc": "2.0", "id": id_, "error": {"code": METHOD_NOT_FOUND, "message": message}}
