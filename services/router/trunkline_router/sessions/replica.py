"""This router among its replicas: what they tell each other about the sessions they share."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import orjson

from trunkline_router.model import Json
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.bus_port import Bus

log = logging.getLogger(__name__)

_ALL = "sessions"
_AGAIN_S = 1.0

Heard = Callable[[Json], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replica:
    """Speaks to one replica or to all of them; nobody hears itself."""

    bus: Bus
    clock: Clock
    id: str = field(default_factory=lambda: secrets.token_hex(5))
    _heard: dict[str, Heard] = field(default_factory=dict)
    _listening: list[Callable[[], None]] = field(default_factory=list)

    def hears(self, kind: str, heard: Heard) -> None:
        """Let `heard` have every message of a kind."""
        self._heard[kind] = heard

    def begins(self, began: Callable[[], None]) -> None:
        """Call `began` whenever listening has begun, anew too: something may have been missed."""
        self._listening.append(began)

    async def tell(self, to: str | None, kind: str, content: Json) -> None:
        """Tell one replica, or all others. Raises UpstreamUnavailable."""
        topic = _ALL if to is None else f"{_ALL}:{to}"
        await self.bus.publish(topic, orjson.dumps(content | {"kind": kind, "from": self.id}))

    async def try_to_tell(self, to: str | None, kind: str, content: Json) -> bool:
        """Tell as `tell` does, and say whether the store could be used."""
        try:
            await self.tell(to, kind, content)
        except UpstreamUnavailable as gone:
            log.info("other replicas do not hear of %s: %s", kind, gone.message)
            return False
        return True

    async def listen(self) -> None:
        """Hear the others, again whenever that breaks off, until cancelled."""
        while True:
            try:
                await self._listen()
            except UpstreamUnavailable as gone:
                log.info("other replicas cannot be heard: %s", gone.message)
            await self.clock.sleep(_AGAIN_S)

    async def _listen(self) -> None:
        async with self.bus.heard(_ALL, f"{_ALL}:{self.id}") as messages:
            for began in self._listening:
                began()
            async for message in messages:
                try:
                    self._receive(message)
                except (LookupError, TypeError, ValueError) as error:
                    # Another version's replica may say what is not known here.
                    log.info("a message of another replica is no use: %r", error)

    def _receive(self, message: bytes) -> None:
        content = orjson.loads(message)
        heard = self._heard.get(content["kind"])
        if heard is not None and content["from"] != self.id:
            heard(content)
