"""How often a test looks whether a process that it has started is there."""

import asyncio

_LOOK_S = 0.05


async def look_again() -> None:
    """Wait a little: who asks without a pause takes from the start what it needs to be done."""
    await asyncio.sleep(_LOOK_S)
