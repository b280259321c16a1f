"""Answers that live longer because each change of what they show is told, and are no staler."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from mcp import Client

from tests.interaction.delivering import SECRETS, github
from tests.interaction.hooked_mesh import HookedMesh, hooked_mesh
from tests.interaction.mesh import routing
from tests.standing_clock import StandingClock
from trunkline_shared.store.store import in_process_store

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("webhook.lives")]

PULL = {"owner": "acme", "repo": "widgets", "pr_number": 2}
HALF_AN_HOUR = 1800


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture
async def mesh(monkeypatch: pytest.MonkeyPatch, clock: StandingClock) -> AsyncIterator[HookedMesh]:
    """One router, at the test's own time."""
    async with hooked_mesh(monkeypatch, alone=True, clock=clock) as mesh:
        yield mesh


async def look(client: Client) -> Any:
    """Read what the pull request changes, and return where the answer came from."""
    result = await client.call_tool("list_pr_files", PULL)
    assert not result.is_error, result
    assert result.meta is not None
    return result.meta["dev.trunkline/call"]["source"]


async def test_without_a_webhook_lives_stay_short(mesh: HookedMesh, clock: StandingClock) -> None:
    """As short as the tool says."""
    async with Client(mesh.first.mcp) as client:
        assert [await look(client), await look(client)] == ["upstream", "cache"]
        clock.advance(HALF_AN_HOUR)
        assert await look(client) == "upstream"


async def test_with_a_webhook_they_last(mesh: HookedMesh, clock: StandingClock) -> None:
    """From its first ping on; an event ends them, another repository's does not."""
    mesh.tell("push", "pull_request")
    await mesh.github.webhooks.delivered()
    async with Client(mesh.first.mcp) as client:
        assert await look(client) == "upstream"
        clock.advance(HALF_AN_HOUR)
        assert await look(client) == "cache"
        other = {"repository": {"full_name": "acme/other"}, "pull_request": {"number": 2}}
        assert (await github("pull_request", other).to(mesh.first)).status == 202
        assert await look(client) == "cache"
        mesh.demo.repository.push(mesh.demo.pull)
        await mesh.github.webhooks.delivered()
        assert await look(client) == "upstream"
        clock.advance(3601)
        assert await look(client) == "upstream"


async def test_a_webhook_without_some_of_the_events_raises_nothing(
    mesh: HookedMesh, clock: StandingClock
) -> None:
    """A push to the base changes the diff, and nobody would tell."""
    mesh.tell("pull_request", "issues")
    await mesh.github.webhooks.delivered()
    async with Client(mesh.first.mcp) as client:
        assert await look(client) == "upstream"
        clock.advance(HALF_AN_HOUR)
        assert await look(client) == "upstream"


async def test_a_repository_may_be_named_by_its_operator(
    monkeypatch: pytest.MonkeyPatch, clock: StandingClock
) -> None:
    """Before any delivery has come, and with a life of its own."""
    cache = {"hooked": ["acme/*"], "webhook_ttl_s": 7200}
    configured = {"router": {"cache": cache}}
    async with (
        hooked_mesh(monkeypatch, alone=True, clock=clock, configured=configured) as mesh,
        Client(mesh.first.mcp) as client,
    ):
        assert await look(client) == "upstream"
        clock.advance(3 * HALF_AN_HOUR)
        assert await look(client) == "cache"
        clock.advance(2 * HALF_AN_HOUR)
        assert await look(client) == "upstream"


async def test_what_one_router_is_told_lengthens_lives_at_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """GitHub delivers to one of them; the other knows, and its answers are spoiled as well."""
    async with hooked_mesh(monkeypatch) as mesh:
        mesh.tell("*")
        await mesh.github.webhooks.delivered()
        async with Client(mesh.second.mcp) as client:
            assert await look(client) == "upstream"
            assert await look(client) == "cache"
            mesh.demo.repository.push(mesh.demo.pull)
            await mesh.github.webhooks.delivered()
            assert await look(client) == "upstream"


async def test_two_routers_carry_a_delivery_out_once() -> None:
    """What one has done the other does not do again: they share a store."""
    store = in_process_store()
    event = github("issues", {"action": "closed", "issue": {"number": 7}})
    given: dict[str, Any] = {"store": store, **SECRETS}
    async with routing({}, **given) as one, routing({}, **given) as other:
        states = [(await event.to(mesh)).json["state"] for mesh in (one, other, one)]
    assert states == ["done", "duplicate", "duplicate"]
