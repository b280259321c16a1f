"""JSON-RPC messages inside HTTP answers: plain JSON, or the events of a stream."""

from collections.abc import AsyncIterator

EVENT_STREAM = "text/event-stream"


async def events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the data of each event of a stream, whatever its chunks are cut into.

    Source: the HTML standard, 9.2.6, as far as MCP uses it.
    """
    data: list[bytes] = []
    async for line in lines(chunks):
        text = line.rstrip(b"\r")
        if text.startswith(b"data:"):
            data.append(text.removeprefix(b"data:").removeprefix(b" "))
        elif not text and data:
            yield b"\n".join(data)
            data = []


async def lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines of a byte stream without their line feeds; the last one needs none."""
    parts: list[bytes] = []
    async for chunk in chunks:
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield b"".join([*parts, line])
            parts = []
        parts.append(rest)
    if last := b"".join(parts):
        yield last
