"""What servers offered last, kept in the store so that a restarted router knows it."""

import asyncio
import hashlib
import logging
import zlib
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

import orjson

from trunkline_router.catalogue.listing import Answers
from trunkline_router.catalogue.pins import Pins
from trunkline_shared.errors import TrunklineError
from trunkline_shared.store.record_port import Records

log = logging.getLogger(__name__)

_VERSION = 1
_LARGEST = 4 * 1024 * 1024
_EXPANDED = 32 * 1024 * 1024
_WAIT_S = 2.0

T = TypeVar("T")


class StoreSilent(Exception):
    """The store did not say; what is kept in it is not known."""


@dataclass(slots=True, kw_only=True)
class Remembered:
    """Listings and pins in records, one of each for a server; a store that fails costs nothing."""

    records: Records
    _written: dict[str, bytes] = field(default_factory=dict)

    async def answers(self, server: str) -> Answers | None:
        """Return what a server answered last, as far as that is known."""
        try:
            content = await _in_time(self.records.read(_listing_key(server)))
        except StoreSilent:
            return None
        return None if not content else _read(content)

    async def keep(self, server: str, answers: Answers) -> None:
        """Keep what a server has answered, if it is not what is kept already."""
        content = _packed(answers)
        await self._write(_listing_key(server), content if len(content) <= _LARGEST else b"")

    async def forget(self, server: str) -> None:
        """Keep nothing of a server any longer."""
        await self._write(_listing_key(server), b"")

    async def pins(self, server: str) -> Pins | None:
        """Return a server's pins, None before it was first seen. Raises StoreSilent."""
        content = await _in_time(self.records.read(_pins_key(server)))
        return None if not content else Pins.from_bytes(content)

    async def pin(self, server: str, pins: Pins) -> None:
        """Keep a server's pins."""
        await self._write(_pins_key(server), pins.to_bytes())

    async def _write(self, key: str, content: bytes) -> None:
        digest = hashlib.sha256(content).digest()
        if self._written.get(key) == digest:
            return
        try:
            async with (
                asyncio.timeout(_WAIT_S),
                self.records.held(key, wait_s=_WAIT_S) as record,
            ):
                await record.write(content)
            self._written[key] = digest
        except (TrunklineError, TimeoutError) as error:
            log.warning("%s is not kept: %s", key, type(error).__name__)


def _listing_key(server: str) -> str:
    return f"catalog:{server}"


def _pins_key(server: str) -> str:
    return f"pins:{server}"


async def _in_time(reading: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(_WAIT_S):
            return await reading
    except (TrunklineError, TimeoutError) as error:
        raise StoreSilent from error


def _packed(answers: Answers) -> bytes:
    try:
        whole = orjson.dumps({
            "v": _VERSION,
            "discovered": answers.discovered,
            "lists": dict(answers.lists),
        })
    except TypeError:
        return b""
    return zlib.compress(whole) if len(whole) <= _EXPANDED else b""


def _read(content: bytes) -> Answers | None:
    """Return what was packed; None for what another version has written."""
    try:
        read = orjson.loads(zlib.decompressobj().decompress(content, _EXPANDED))
        if read["v"] != _VERSION:
            return None
        discovered, lists = read["discovered"], read["lists"]
    except (zlib.error, ValueError, TypeError, KeyError):
        return None
    sound = isinstance(discovered, dict) and isinstance(lists, dict)
    return Answers(discovered=discovered, lists=lists) if sound else None
