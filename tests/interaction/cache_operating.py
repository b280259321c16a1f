"""What operators ask of the cache over HTTP: its page, its events, its metrics."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import orjson
from prometheus_client.parser import text_string_to_metric_families

from tests.interaction.event_streams import BUMPS, events_of
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import Mesh
from tests.interaction.wire import Reply, get, head, send

PAGE = "/api/cache"
BOSS, EYE, WORKER = (key_of(name) for name in ("boss", "eye", "worker"))
KEYS = {
    "keys": [
        entry("boss", scopes=["observe", "admin", "tools"]),
        entry("eye", scopes=["observe"]),
        entry("worker", scopes=["tools"]),
    ]
}


async def stats(mesh: Mesh) -> Any:
    """Return what the page shows."""
    reply = await get(mesh.port, PAGE)
    assert reply.status == 200
    return reply.json


async def invalidate(mesh: Mesh, tag: object, bearer: str | None = None) -> Reply:
    """Ask for a tag's invalidation."""
    return await ask(mesh, orjson.dumps({"invalidate": tag}), bearer)


async def ask(
    mesh: Mesh, body: bytes, bearer: str | None = None, *, path: str = PAGE, verb: str = "POST"
) -> Reply:
    """Send any body to a page."""
    return await send(
        mesh.port, head(body, bearing(bearer), port=mesh.port, path=path, verb=verb) + body
    )


@asynccontextmanager
async def watching(mesh: Mesh, bearer: str | None = None) -> AsyncIterator[asyncio.StreamReader]:
    """Open the stream of what is changed; it is listened to when the block begins."""
    async with events_of(mesh, BUMPS, bearer) as reader:
        await reader.readuntil(b"\n\n")
        yield reader


def samples(text: str) -> dict[str, float]:
    """Return each sample of a scrape by its name and labels."""
    return {
        sample.name + "".join(f" {key}={value}" for key, value in sorted(sample.labels.items())): (
            sample.value
        )
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
