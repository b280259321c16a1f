"""An operator who knows better closes a breaker by hand."""

import pytest

from tests.interaction.guarding import Mood, breaker, calls, sick
from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import routing
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import get, head, post, send

pytestmark = pytest.mark.anyio

PAGE = "/api/servers/ill/breaker"


@pytest.mark.requirement("gateway.breaker")
async def test_a_reset_lets_calls_through_at_once() -> None:
    """The answer is how the breaker stands then."""
    mood = Mood(error=sick())
    async with running(Scripted(answer=mood)) as url, routing({"ill": url}) as mesh:
        assert await calls(mesh, "act", 4) == ["UPSTREAM_UNAVAILABLE"] * 3 + ["CIRCUIT_OPEN"]
        assert (await get(mesh.port, PAGE)).json["state"] == "open"
        mood.error = None
        reset = await post(mesh.port, b"", {}, PAGE)
        assert (reset.status, reset.json["state"]) == (200, "closed")
        assert await calls(mesh, "act", 1) == ["ok"]
        assert (await breaker(mesh, "ill"))["consecutiveFailures"] == 0


async def test_a_reset_needs_the_scope_admin() -> None:
    """Who may observe sees the breaker; others are told which scope they lack."""
    keys = [entry("eye", scopes=["observe"]), entry("boss", scopes=["observe", "admin"])]
    async with (
        running(Scripted()) as url,
        routing({"ill": url}, configured={"keys": keys}) as mesh,
    ):
        assert (await get(mesh.port, PAGE)).status == 401
        assert (await get(mesh.port, PAGE, bearing(key_of("eye")))).status == 200
        refused = await post(mesh.port, b"", bearing(key_of("eye")), PAGE)
        assert (refused.status, "admin" in refused.json["error"]) == (403, True)
        assert (await post(mesh.port, b"", bearing(key_of("boss")), PAGE)).status == 200


@pytest.mark.parametrize("path", ["/api/servers/il/breaker", "/api/servers/ill/brake"])
async def test_what_is_not_there_is_told_with_what_is(path: str) -> None:
    """404 with the names that would have been right; another method is 405."""
    async with running(Scripted()) as url, routing({"ill": url}) as mesh:
        missing = await get(mesh.port, path)
        deleted = await send(mesh.port, head(b"", {}, port=mesh.port, path=PAGE, verb="DELETE"))
    assert missing.status == 404
    assert "ill" in missing.json["error"] or "breaker" in missing.json["error"]
    assert (deleted.status, deleted.headers["allow"]) == (405, "GET, HEAD, POST")
