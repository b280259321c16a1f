"""How a stream of events ends that the router no longer owes to who watches."""

import asyncio
from pathlib import Path

import pytest

from tests.interaction.event_streams import BUMPS, CALLS, END, events_of, told
from tests.interaction.mesh import routing
from tests.interaction.reloading import OFTEN, bearer, following, key

pytestmark = pytest.mark.anyio


@pytest.mark.requirement("cache.watch", "seeing.live", "gateway.reload-keys")
@pytest.mark.parametrize(("path", "before"), [(BUMPS, set()), (CALLS, {"state"})])
async def test_a_revoked_key_watches_no_longer(tmp_path: Path, path: str, before: set[str]) -> None:
    """Its stream is told why, and ends; `before` is what it may have been told until then."""
    kept, gone = key("kept", scopes=["observe"]), key("gone", scopes=["observe"])
    async with following(tmp_path / "t.yaml", {"keys": [kept, gone]}) as router:
        token = bearer("gone").removeprefix("Bearer ")
        async with events_of(router.mesh, path, token) as stream, asyncio.timeout(5):
            router.write({"keys": [kept]})
            kind, event = await told(stream)
            while kind in before:
                kind, event = await told(stream)
            assert (kind, "revoked" in event["error"]) == ("refused", True)
            assert await stream.readuntil(END)


@pytest.mark.requirement("cache.watch", "seeing.live", "gateway.ending-streams")
@pytest.mark.parametrize("path", [BUMPS, CALLS])
async def test_the_stream_ends_with_the_router(path: str) -> None:
    """With its last chunk, at once: nobody waits for a watcher."""
    async with asyncio.timeout(10):
        router = routing({"unused": "http://127.0.0.1:1"}, settled=False, terms=OFTEN)
        mesh = await router.__aenter__()
        async with events_of(mesh, path) as stream:
            await router.__aexit__(None, None, None)
            assert (await stream.read()).endswith(END)
