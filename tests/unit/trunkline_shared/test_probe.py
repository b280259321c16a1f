"""The probe of a container: 200 is well, and everything else is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from trunkline_shared.probe import main

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[str]:
    """Serve one answer to whoever asks; yields the URL."""

    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(answered, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/healthz"


@pytest.mark.requirement("shipping.probe")
async def test_a_server_that_is_well_ends_the_probe_in_silence() -> None:
    """The exit code is 0."""
    async with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") as url:
        await asyncio.to_thread(main, [url])


@pytest.mark.requirement("shipping.probe")
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", "HTTP/1.1 503 Service Unavailable"),
        (b"", "no answer"),
        (b"\r\n", "no answer"),
        (b"200\r\n", "200"),
    ],
)
async def test_anything_else_is_told(answer: bytes, told: str) -> None:
    """As it was, behind the URL."""
    async with answering(answer) as url:
        with pytest.raises(SystemExit) as ending:
            await asyncio.to_thread(main, [url])
        assert ending.value.code == f"{url}: {told}"


@pytest.mark.requirement("shipping.probe")
def test_nobody_there_is_told() -> None:
    """With what the system says of it."""
    with pytest.raises(SystemExit, match=r"^http://127\.0\.0\.1:1/healthz: .*refused"):
        main(["http://127.0.0.1:1/healthz"])
