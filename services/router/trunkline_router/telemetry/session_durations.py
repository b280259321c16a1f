"""How long sessions last: those of older clients, and those held at older servers."""

from collections.abc import Iterator

from trunkline_router.link import SessionEnd
from trunkline_router.measures import operations as instruments
from trunkline_router.measures.instrument import Reading
from trunkline_router.telemetry import labels
from trunkline_router.telemetry.cells import Timed
from trunkline_router.telemetry.label_sets import LabelSets

_HTTP = ("http", "tcp")
_PIPE = ("", "pipe")


class SessionDurations:
    """Counts sessions that have ended."""

    def __init__(self) -> None:
        self._names = labels.Names()
        self._of_clients: LabelSets[Timed] = LabelSets(Timed)
        self._at_servers: LabelSets[Timed] = LabelSets(Timed)

    def ended(self, version: str, seconds: float) -> None:
        """Count a session of a client that has spoken a version."""
        at = (labels.version(version), *_HTTP, "")
        self._of_clients.of(at).lasted(max(seconds, 0.0))

    def left(self, end: SessionEnd) -> None:
        """Count a session that was held at a server."""
        at = (
            labels.version(end.version),
            *(_PIPE if end.piped else _HTTP),
            labels.error_type(end.error),
            self._names.server(end.server),
        )
        self._at_servers.of(at).lasted(max(end.seconds, 0.0))

    def readings(self) -> Iterator[Reading]:
        """Return all that has been counted, as it is now."""
        yield Reading(instruments.SERVER_SESSIONS, [one.read(at) for at, one in self._of_clients])
        yield Reading(instruments.CLIENT_SESSIONS, [one.read(at) for at, one in self._at_servers])
