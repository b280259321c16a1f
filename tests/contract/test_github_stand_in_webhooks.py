"""The stand-in's webhooks: signed, in order, one for each thing that has changed."""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator

import pytest
from aiohttp import web

from tests.contract.caller import Caller
from trunkline_shared.testing.github import Demo, GitHubStandIn
from trunkline_shared.testing.loopback import address, free_socket

pytestmark = pytest.mark.anyio

SECRET = "a-secret-of-the-hook"
COMMENTS = "/repos/acme/widgets/issues/2/comments"


class Hearer:
    """Whoever is told, and what came."""

    def __init__(self) -> None:
        self.url = ""
        self.heard: list[tuple[str, str | None]] = []
        self.ids: list[str] = []

    async def hear(self, http: web.Request) -> web.Response:
        body = await http.read()
        signature = hmac.digest(SECRET.encode(), body, hashlib.sha256).hex()
        assert http.headers["X-Hub-Signature-256"] == f"sha256={signature}"
        told = await http.json()
        assert told["repository"]["full_name"] == "acme/widgets"
        self.heard.append((http.headers["X-GitHub-Event"], told.get("action")))
        self.ids.append(http.headers["X-GitHub-Delivery"])
        return web.Response(status=202)


@pytest.fixture
async def hearer() -> AsyncIterator[Hearer]:
    hearer = Hearer()
    app = web.Application()
    app.router.add_post("/hook", hearer.hear)
    runner = web.AppRunner(app)
    await runner.setup()
    on = free_socket()
    await web.SockSite(runner, on).start()
    hearer.url = f"{address(on)}/hook"
    yield hearer
    await runner.cleanup()


async def test_changes_are_told_after_a_ping(
    github: GitHubStandIn, demo: Demo, writer: Caller, hearer: Hearer
) -> None:
    """A comment over the API, a push, and CI that a test ends itself are all told of."""
    hooks = github.webhooks
    hooks.deliver_to(hearer.url, SECRET)
    async with asyncio.timeout(5):
        await writer.ask("POST", COMMENTS, {"body": "hello"})
        await hooks.delivered()
        assert hearer.heard == [("ping", None), ("issue_comment", "created")]
        hearer.heard.clear()
        assert demo.pull.pull is not None
        check = demo.repository.ci.add_check(demo.pull.pull.head_sha, "style", status="queued")
        demo.repository.push(demo.pull)
        await hooks.delivered()
        assert ("check_run", "created") in hearer.heard
        assert ("pull_request", "synchronize") in hearer.heard
        assert ("push", None) in hearer.heard
        hearer.heard.clear()
        check.finish("success", demo.repository.ledger.now())
        await hooks.delivered()
    assert hearer.heard == [("check_run", "completed")]
    assert {one.status for one in hooks.sent} == {202}


async def test_only_wanted_events_are_told_and_the_same_ones_again(
    github: GitHubStandIn, demo: Demo, writer: Caller, hearer: Hearer
) -> None:
    """A hook for labels hears of no comment; a delivery that is sent again keeps its id."""
    hooks = github.webhooks
    hooks.deliver_to(hearer.url, SECRET, ("label",))
    async with asyncio.timeout(5):
        await writer.ask("POST", COMMENTS, {"body": "hello"})
        await writer.ask("GET", "/repos/acme/widgets")
        demo.repository.tracker.add_label("new")
        await hooks.delivered()
        hooks.redeliver(hooks.sent[-1])
        await hooks.delivered()
    assert [event for event, _ in hearer.heard] == ["ping", "label", "label"]
    assert hearer.ids[1] == hearer.ids[2]
