"""Whoever subscribes to CI or to a pull request hears of each change, through any router."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated, Subscription
from mcp_types import TextResourceContents

from tests.interaction.hooked_mesh import HookedMesh, hooked_mesh
from tests.interaction.legacy_wire import legacy_client
from tests.interaction.listen_streams import listening
from tests.interaction.mesh import Mesh
from tests.interaction.wire import modern, modern_headers, post

pytestmark = pytest.mark.anyio

CI = "ci://acme/widgets/pull/2"
PR = "pr://acme/widgets/2"


@pytest.fixture
async def pair(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HookedMesh]:
    """Two routers over one Redis; GitHub tells the first."""
    async with hooked_mesh(monkeypatch) as mesh:
        mesh.tell()
        yield mesh


@pytest.fixture
async def single(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[HookedMesh]:
    """One router without Redis."""
    async with hooked_mesh(monkeypatch, alone=True) as mesh:
        mesh.tell()
        yield mesh


async def read(client: Client, uri: str) -> Any:
    """Return what a resource says now."""
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "application/json"
    return orjson.loads(content.text)


async def heard(subscription: Subscription) -> str:
    """Return the next resource that was updated."""
    event = await anext(aiter(subscription))
    assert isinstance(event, ResourceUpdated)
    return event.uri


@pytest.mark.requirement("webhook.wakes")
async def test_ci_is_waited_for_by_a_subscription(pair: HookedMesh) -> None:
    """A check ends; GitHub tells one router; the client of the other hears, and reads the rest.

    Nobody asked GitHub anything in between.
    """
    check = pair.demo.repository.ci.add_check(pair.head, "bench", status="in_progress")
    async with (
        asyncio.timeout(20),
        Client(pair.second.mcp) as client,
        client.listen(resource_subscriptions=[CI]) as subscription,
    ):
        await pair.github.webhooks.delivered()
        assert await heard(subscription) == CI
        before = await read(client, CI)
        (pending,) = [one for one in before["checks"] if one["name"] == "bench"]
        assert pending["conclusion"] is None
        pair.github.requests.clear()
        check.finish("failure", pair.demo.repository.ledger.now())
        await pair.github.webhooks.delivered()
        assert await heard(subscription) == CI
        assert len(pair.github.requests) == 0
        after = await read(client, CI)
        (ended,) = [one for one in after["checks"] if one["name"] == "bench"]
        assert (ended["conclusion"], after["summary"]["verdict"]) == ("failure", "failing")


@pytest.mark.requirement("webhook.wakes")
async def test_a_pull_request_tells_of_its_review(single: HookedMesh) -> None:
    """A review wakes who listens to the pull request, not who listens to its CI."""
    async with (
        asyncio.timeout(20),
        Client(single.first.mcp) as client,
        client.listen(resource_subscriptions=[PR]) as pull,
        client.listen(resource_subscriptions=[CI]) as ci,
    ):
        single.demo.pull.add_review(single.github.state.users["alice"], "APPROVED")
        await single.github.webhooks.delivered()
        assert await heard(pull) == PR
        reviews = (await read(client, PR))["reviews"]
        assert {"author": "alice", "state": "APPROVED"} in reviews
        await _nothing(ci)


@pytest.mark.requirement("webhook.wakes")
async def test_a_write_of_the_mesh_wakes_as_an_event_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the other router, without any webhook: a label is set."""
    async with hooked_mesh(monkeypatch) as pair:
        label = pair.demo.repository.tracker.add_label("bench").name
        async with (
            asyncio.timeout(20),
            Client(pair.second.mcp) as client,
            client.listen(resource_subscriptions=[PR]) as subscription,
            Client(pair.first.mcp) as writer,
        ):
            labels = {"owner": "Acme", "repo": "Widgets", "issue_number": 2, "labels": [label]}
            result = await writer.call_tool("github_add_labels", labels)
            assert not result.is_error, result
            assert await heard(subscription) == PR


async def test_a_legacy_session_hears_as_well(single: HookedMesh) -> None:
    """`resources/subscribe` of the older revisions, on the session's stream."""
    async with legacy_client(single.first.mcp) as client:
        await client.initialize()
        await client.ask("resources/subscribe", {"uri": CI})
        async with client.getting() as stream, asyncio.TaskGroup() as tasks:
            told = tasks.create_task(stream.message())
            while not told.done():
                # Who listens may still be on the way.
                single.demo.repository.ci.add_status(single.head, "lint", "success")
                await single.github.webhooks.delivered()
                await asyncio.wait({told}, timeout=0.05)
            message = told.result()
    assert message["method"] == "notifications/resources/updated"
    assert message["params"]["uri"] == CI


@pytest.mark.requirement("webhook.wakes")
async def test_a_router_that_cannot_hear_tells_that_anything_may_have_changed(
    pair: HookedMesh,
) -> None:
    """When it hears the others again, whoever listens is woken."""
    async with (
        asyncio.timeout(20),
        Client(pair.second.mcp) as client,
        client.listen(resource_subscriptions=[CI, PR]) as subscription,
    ):
        assert pair.redis is not None
        pair.redis.kill()
        pair.redis.start()
        assert {await heard(subscription), await heard(subscription)} == {CI, PR}


@pytest.mark.requirement("webhook.bound")
@pytest.mark.parametrize(
    ("path", "honoured"),
    [
        ("/mcp", [CI, PR, "ci://other/thing/pull/1"]),
        ("/mcp?owner=Acme&repo=Widgets", [CI, PR]),
        ("/mcp?owner=acme&repo=widgets&pr_number=2", [CI, PR]),
        ("/mcp?owner=acme&repo=widgets&pr_number=3", []),
        ("/servers/github/mcp", [PR]),
    ],
)
async def test_a_context_hears_of_what_it_is_bound_to(
    single: HookedMesh, path: str, honoured: list[str]
) -> None:
    """The acknowledgement names what is listened to, and that is all that is told."""
    asked = [CI, PR, "ci://other/thing/pull/1", "ci:///widgets/pull/2", "ci://acme/a%2Fb/pull/2"]
    assert await acknowledged(single.first, asked, path) == honoured


@pytest.mark.requirement("webhook.bound")
async def test_the_mesh_s_repositories_bound_subscriptions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What no call may touch nobody hears of."""
    async with hooked_mesh(monkeypatch, alone=True, allowed_repos="acme/*") as mesh:
        asked = [CI, "ci://other/thing/pull/1"]
        assert await acknowledged(mesh.first, asked) == [CI]


@pytest.mark.requirement("webhook.bound")
async def test_a_key_bounds_subscriptions(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that may call nothing of a server hears nothing of it; a bound one of its own alone.

    One that may call some of it hears what it may ask for: CI is what `get_ci_status` answers.
    """
    keys = [
        _key("ci", allow=["mcp__github_ci__*"]),
        _key("runs", allow=["mcp__github_ci__list_*", "mcp__github_ci__wait_for_ci"]),
        _key("bound", bind={"owner": "other"}),
    ]
    async with hooked_mesh(monkeypatch, alone=True, configured={"keys": keys}) as mesh:
        assert await acknowledged(mesh.first, [CI, PR], key="ci") == [CI]
        assert await acknowledged(mesh.first, [CI, PR], key="runs") == []
        assert await acknowledged(mesh.first, [CI, PR], key="bound") == []


@pytest.mark.requirement("webhook.bound")
async def test_a_legacy_session_is_told_what_it_cannot_hear_of(single: HookedMesh) -> None:
    """Another pull request than the bound one is as unknown as one that is not there."""
    url = f"{single.first.mcp}?owner=acme&repo=widgets&pr_number=3"
    async with legacy_client(url) as client:
        await client.initialize()
        refused = await client.ask("resources/subscribe", {"uri": CI})
        assert refused["error"]["code"] == -32002
        own = await client.ask("resources/subscribe", {"uri": "ci://acme/widgets/pull/3"})
        assert own["result"] == {}


async def test_what_is_no_pull_request_is_said_so(single: HookedMesh) -> None:
    """A number that is none, and one that is not there."""
    for uri, code in (
        ("ci://acme/widgets/pull/zero", "INVALID_INPUT"),
        ("pr://acme/widgets/0", "INVALID_INPUT"),
        ("pr://acme/widgets/999", "NOT_FOUND"),
    ):
        body = modern("resources/read", {"uri": uri})
        reply = await post(single.first.port, body, modern_headers("resources/read", uri))
        assert reply.json["error"]["data"]["error_code"] == code


def _key(id_: str, **more: object) -> dict[str, object]:
    return {"id": id_, "hash": hashlib.sha256(_secret(id_).encode()).hexdigest(), **more}


def _secret(id_: str) -> str:
    return id_ * 16


async def acknowledged(
    mesh: Mesh, uris: list[str], path: str = "/mcp", key: str | None = None
) -> list[str]:
    """Return the resources that a stream says it will tell of."""
    headers = {"Authorization": f"Bearer tl_{key}_{_secret(key)}"} if key else {}
    async with (
        asyncio.timeout(10),
        listening(mesh, {"resourceSubscriptions": uris}, path=path, headers=headers) as reader,
    ):
        block = await reader.readuntil(b"\n\n")
    told = orjson.loads(block.partition(b"data: ")[2])["params"]["notifications"]
    found: list[str] = told.get("resourceSubscriptions", [])
    return found


async def _nothing(subscription: Subscription) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await heard(subscription)
