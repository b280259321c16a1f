"""Changes of resources on their way to one listener, each told once however often it happened."""

import asyncio
from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Updated:
    """An endless iterator over the URIs that have changed; `honoured` are those it can name.

    One who reads slowly hears of a resource once, whatever happened meanwhile: what waits here
    never grows beyond what was asked for.
    """

    honoured: tuple[str, ...]
    _waiting: dict[str, None] = field(default_factory=dict)
    _filled: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, uri: str) -> None:
        """Note that a resource has changed."""
        self._waiting[uri] = None
        self._filled.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        await self._filled.wait()
        uri = next(iter(self._waiting))
        del self._waiting[uri]
        if not self._waiting:
            self._filled.clear()
        return uri
