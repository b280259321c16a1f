"""The way into a connection: what nobody has asked for yet waits at its client, not here."""

import asyncio

MOST_WAITING = 64 * 1024
"""How many bytes that nobody has asked for are held, before no more are read."""


def read_on(transport: asyncio.Transport) -> None:
    """Read what comes, where that had been left off."""
    if not transport.is_closing() and not transport.is_reading():
        transport.resume_reading()
