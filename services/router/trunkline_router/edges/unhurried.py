"""Long work for a page, in small parts: whoever calls meanwhile is answered in between."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

Part = TypeVar("Part")


async def unhurried(parts: Iterable[Part], at_once: int) -> AsyncIterator[Part]:
    """Return each part, and let others have their turn after so many of them."""
    for number, part in enumerate(parts, 1):
        yield part
        if number % at_once == 0:
            await asyncio.sleep(0)
