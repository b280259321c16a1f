"""What a child writes beside the protocol: to the log by lines, bounded, without secrets."""

import logging
from collections.abc import Iterable

from trunkline_shared.clock import Clock
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import visible_escapes

log = logging.getLogger(__name__)

_LONGEST = 2000
_READ = 16 * 1024
_SHORTEST_SECRET = 6
_LINES = 100
_PER_S = 10.0


class ChildLog:
    """Writes lines under a server's id; of a flood most are dropped and counted.

    `secrets` are values that the child was given and that must not be told.
    """

    def __init__(self, server: str, clock: Clock, secrets: Iterable[str]) -> None:
        self._server = server
        self._clock = clock
        hidden = {value for value in secrets if len(value) >= _SHORTEST_SECRET}
        self._secrets = sorted(hidden, key=len, reverse=True)
        self._left = float(_LINES)
        self._filled = clock.monotonic()
        self._dropped = 0

    def line(self, raw: bytes, kind: str) -> None:
        """Write one line; `kind` says where it came from."""
        if not self._may():
            self._dropped += 1
            return
        if self._dropped:
            log.warning("%s: %d lines were left out", self._server, self._dropped)
            self._dropped = 0
        log.info("%s %s: %s", self._server, kind, self.shown(raw))

    def shown(self, raw: bytes) -> str:
        """Return a line as it may be seen."""
        # Cut after hiding, or half of a secret at the cut would be seen.
        text = raw[:_READ].decode("utf-8", "replace").rstrip()
        for secret in self._secrets:
            text = text.replace(secret, "[secret]")
        return visible_escapes(redact(text))[0].replace("\x1b", "\\e")[:_LONGEST]

    def _may(self) -> bool:
        now = self._clock.monotonic()
        self._left = min(self._left + (now - self._filled) * _PER_S, float(_LINES))
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
