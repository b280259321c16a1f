"""The streams of POSTs, while they run and for a minute more, and the ids of their events."""

import base64
import binascii
import itertools
from collections import OrderedDict
from dataclasses import dataclass, field

import orjson

from trunkline_router.model import RequestId
from trunkline_router.sessions.event_log import EventLog
from trunkline_shared.clock import Clock

_KEPT_S = 60.0
_MOST = 256
_MOST_BYTES = 32 * 1024 * 1024
_LONGEST_IDS = 512
_LONGEST = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What the id of an event says: the replica, the stream, the requests on it, the number."""

    replica: str
    stream: str
    requests: tuple[RequestId, ...]
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStreams:
    """Knows streams by name; what has ended is bounded in time, number and bytes."""

    replica: str
    clock: Clock
    _running: dict[str, EventLog] = field(default_factory=dict)
    _ended: OrderedDict[str, tuple[float, EventLog]] = field(default_factory=OrderedDict)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def opened(self, nonce: str, requests: tuple[RequestId, ...]) -> EventLog:
        """Return the log of a new stream, whose name tells which requests it answers."""
        named = orjson.dumps(requests)
        told = _text(named) if len(named) <= _LONGEST_IDS else _text(b"[]")
        log = EventLog(name=f"{self.replica}-{next(self._numbers)}-{told}", nonce=nonce)
        self._running[log.name] = log
        return log

    def closed(self, log: EventLog, *, worth_keeping: bool) -> None:
        """Keep a stream that has ended for whoever has not seen its end, if anybody could."""
        self._running.pop(log.name, None)
        if worth_keeping:
            self._ended[log.name] = (self.clock.monotonic() + _KEPT_S, log)
        self._forget()

    def find(self, nonce: str, name: str) -> EventLog | None:
        """Return the stream that a session may read."""
        self._forget()
        ended = self._ended.get(name)
        log = self._running.get(name) or (ended[1] if ended else None)
        return log if log is not None and log.nonce == nonce else None

    def _forget(self) -> None:
        now = self.clock.monotonic()
        size = sum(log.size for _, log in self._ended.values())
        while self._ended:
            until, log = next(iter(self._ended.values()))
            if until > now and len(self._ended) <= _MOST and size <= _MOST_BYTES:
                return
            size -= log.size
            self._ended.popitem(last=False)


def event_id(name: str, number: int) -> bytes:
    """Return the id of an event."""
    return f"{name}.{number}".encode()


def place_of(text: str) -> Place | None:
    """Read the id of an event of a POST's stream; None for any other text, however hostile."""
    name, _, number = text.rpartition(".")
    parts = name.split("-", 2)
    if (
        not text.isascii()
        or len(text) > _LONGEST
        or len(parts) != len(("replica", "number", "ids"))
    ):
        return None
    if not (number.isascii() and number.isdigit() and len(number) <= 9):  # noqa: PLR2004 - digits
        return None
    return Place(replica=parts[0], stream=name, requests=_ids(parts[2]), number=int(number))


def _ids(text: str) -> tuple[RequestId, ...]:
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        told = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (UnicodeEncodeError, binascii.Error, orjson.JSONDecodeError):
        return ()
    if not isinstance(told, list):
        return ()
    return tuple(one for one in told if isinstance(one, int | str) and not isinstance(one, bool))


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
