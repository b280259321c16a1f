"""Webhooks at a router: proven before they are read, carried out once, never in a log."""

import asyncio
import gzip
import hashlib
import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlencode

import aiohttp
import pytest
from pydantic import ValidationError

from tests.interaction import delivering
from tests.interaction.delivering import SECRETS, Post, basecamp, github, hooked, jira, signed
from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.reloading import rereading
from tests.interaction.upstreams import Scripted, running
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

CLOSED = {"action": "closed", "issue": {"number": 7}}
ISSUE = {"issue": {"key": "ABC-7", "self": "https://acme.atlassian.net/rest/api/2/issue/1"}}


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router that takes deliveries of all vendors."""
    async with running(Scripted()) as url, hooked({"scripted": url}) as mesh:
        yield mesh


@pytest.mark.requirement("webhook.spoils")
async def test_an_event_spoils_what_it_is_about(mesh: Mesh) -> None:
    """The answer says what; the repository's name is spelled as tags spell it."""
    answer = await github("issues", CLOSED).to(mesh)
    assert answer.status == 202
    assert answer.json == {
        "event": "issues",
        "state": "done",
        "bumped": ["gh:acme/widgets#7", "gh:acme/widgets:issues"],
    }
    todo = await basecamp("todo_completed", {"id": 12, "parent": {"id": 3}}).to(mesh)
    assert todo.json["bumped"] == ["bc:195:7:12", "bc:195:7:3"]
    told = await jira("jira:issue_updated", ISSUE).to(mesh)
    assert told.json["bumped"] == ["jira"], "no server has told how it names its site"


async def test_a_ping_is_answered_at_once(mesh: Mesh) -> None:
    """As GitHub sends it when a webhook is made: 200, whatever it is set up for."""
    ping = {"zen": "Design for failure.", "hook_id": 1, "hook": {"events": ["*"], "active": True}}
    answer = await github("ping", ping).to(mesh)
    assert (answer.status, answer.json) == (200, {"event": "ping", "ok": True})


@pytest.mark.requirement("webhook.proof")
async def test_a_form_is_taken_from_github_alone(mesh: Mesh) -> None:
    """The signature is over the form as it came; what it holds is the payload."""
    event = github("issues", CLOSED)
    body = urlencode({"payload": event.body.decode()}).encode()
    posted = event.changed(
        body=body,
        content_type="application/x-www-form-urlencoded",
        x_hub_signature_256=signed(delivering.GITHUB_SECRET, body),
    )
    assert (await posted.to(mesh)).json["bumped"] == ["gh:acme/widgets#7", "gh:acme/widgets:issues"]
    other = jira("jira:issue_updated", ISSUE)
    other = other.changed(content_type="application/x-www-form-urlencoded")
    assert (await other.to(mesh)).status == 415


@pytest.mark.requirement("webhook.proof")
@pytest.mark.parametrize(
    "event",
    [
        github("issues", CLOSED, "another-secret-of-github"),
        github("issues", CLOSED).changed(x_hub_signature_256=None),
        github("issues", CLOSED).changed(x_hub_signature_256="sha256=" + "0" * 64),
        github("issues", CLOSED).changed(x_hub_signature_256="sha1=" + "0" * 40),
        github("issues", CLOSED).changed(body=b'{"action":"closed"}'),
        basecamp("todo_completed", {"id": 1}, "another-secret-in-the-url"),
        basecamp("todo_completed", {"id": 1}, ""),
        basecamp("todo_completed", {"id": 1}, delivering.BASECAMP_SECRET + "/"),
        jira("jira:issue_updated", ISSUE, "another-secret-of-jira-s"),
        jira("jira:issue_updated", ISSUE).changed(x_hub_signature=None),
        jira("jira:issue_updated", ISSUE).changed(
            x_hub_signature=None, authorization="JWT e30.e30.e30"
        ),
        jira("jira:issue_updated", ISSUE).changed(
            x_hub_signature=None, authorization=f"Bearer {delivering.JIRA_SECRET}"
        ),
    ],
    ids=[
        "github-secret",
        "github-none",
        "github-zeros",
        "github-sha1",
        "github-body",
        "basecamp-secret",
        "basecamp-none",
        "basecamp-more",
        "jira-secret",
        "jira-none",
        "jira-token",
        "jira-bearer",
    ],
)
async def test_what_is_not_proven_is_refused(mesh: Mesh, event: Post) -> None:
    """With 401, and with nothing of the secret in the answer."""
    answer = await event.to(mesh)
    assert answer.status == 401
    assert set(answer.json) == {"error"}
    assert not any(secret in answer.text for secret in SECRETS.values())


async def test_a_body_is_proven_before_it_is_read(mesh: Mesh) -> None:
    """One that is no JSON is 401 without a signature and 400 with one."""
    broken = github("issues", CLOSED).changed(body=b"{")
    assert (await broken.to(mesh)).status == 401
    sound = broken.changed(x_hub_signature_256=signed(delivering.GITHUB_SECRET, b"{"))
    answer = await sound.to(mesh)
    assert answer.status == 400
    assert "JSON" in answer.json["error"]


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"[]", {}),
        (b"null", {}),
        (b'{"action":"closed"}', {"x_github_event": None}),
        (b'{"action":"closed"}', {"x_github_delivery": None}),
        (b'{"action":"closed"}', {"x_github_delivery": "a b"}),
        (b"payload=1&payload=2", {"content_type": "application/x-www-form-urlencoded"}),
        (b"nothing=1", {"content_type": "application/x-www-form-urlencoded"}),
    ],
    ids=["list", "null", "no-event", "no-id", "odd-id", "two-payloads", "no-payload"],
)
async def test_what_makes_no_sense_is_said_so(
    mesh: Mesh, body: bytes, headers: dict[str, str | None]
) -> None:
    """400, with what is wrong."""
    event = github("issues", {}).changed(
        body=body, x_hub_signature_256=signed(delivering.GITHUB_SECRET, body), **headers
    )
    answer = await event.to(mesh)
    assert (answer.status, set(answer.json)) == (400, {"error"})


async def test_events_of_other_things_spoil_nothing(mesh: Mesh) -> None:
    """A star, a release, an event that is not known yet: taken, with nothing bumped."""
    for event in ("star", "release", "something_new"):
        answer = await github(event, {"action": "created"}).to(mesh)
        assert (answer.status, answer.json["bumped"]) == (202, [])
    answer = await basecamp("question_paused", {"url": "https://x.example/"}).to(mesh)
    assert (answer.status, answer.json["bumped"]) == (202, [])


@pytest.mark.requirement("webhook.once")
@pytest.mark.parametrize(
    "event",
    [
        github("issues", CLOSED),
        basecamp("todo_completed", {"id": 12}),
        jira("jira:issue_updated", ISSUE),
    ],
    ids=["github", "basecamp", "jira"],
)
async def test_a_delivery_is_carried_out_once_a_day(event: Post) -> None:
    """What is sent again is taken, and bumps nothing; after a day it does."""
    clock = FakeClock()
    store = in_process_store(clock)
    async with (
        running(Scripted()) as url,
        hooked({"scripted": url}, store=store) as mesh,
    ):
        assert (await event.to(mesh)).json["state"] == "done"
        again = await event.to(mesh)
        assert (again.status, again.json["state"], again.json["bumped"]) == (202, "duplicate", [])
        clock.advance(86_401)
        assert (await event.to(mesh)).json["state"] == "done"


@pytest.mark.requirement("webhook.secrets")
async def test_several_secrets_hold_while_one_takes_the_place_of_another() -> None:
    """Each of the list proves; what is not in it does not."""
    given = {
        "github_webhook_secret": "the-new-secret-of-github, the-old-secret-of-github",
        "basecamp_webhook_secret": "the-new-secret-in-url,the-old-secret-in-url",
    }
    async with running(Scripted()) as url, hooked({"scripted": url}, **given) as mesh:
        for secret in ("the-new-secret-of-github", "the-old-secret-of-github"):
            assert (await github("issues", CLOSED, secret).to(mesh)).status == 202
        for secret in ("the-new-secret-in-url", "the-old-secret-in-url"):
            assert (await basecamp("todo_completed", {"id": 1}, secret).to(mesh)).status == 202
        assert (await github("issues", CLOSED).to(mesh)).status == 401
        both = "the-new-secret-in-url,the-old-secret-in-url"
        assert (await basecamp("todo_completed", {"id": 1}, both).to(mesh)).status == 401


@pytest.mark.parametrize("vendor", ["github", "basecamp", "jira"])
async def test_without_a_secret_there_is_nothing(vendor: str) -> None:
    """404, with the variable to set."""
    async with running(Scripted()) as url, routing({"scripted": url}) as mesh:
        path = f"/webhooks/{vendor}" + ("/anything" if vendor == "basecamp" else "")
        answer = await Post(path=path, body=b"{}").to(mesh)
        assert answer.status == 404
        assert f"TRUNKLINE_{vendor.upper()}_WEBHOOK_SECRET" in answer.json["error"]


@pytest.mark.requirement("webhook.secrets")
@pytest.mark.parametrize("name", ["github", "basecamp", "jira"])
def test_a_short_secret_is_refused_at_the_start(name: str) -> None:
    """It could be guessed; the message names the variable and does not show it."""
    with pytest.raises((ConfigurationError, ValidationError)) as refused:
        load(RouterSettings, {f"{name}_webhook_secret": "short,but-this-one-is-long"})
    assert "16 characters" in str(refused.value)
    assert "but-this-one" not in str(refused.value)


def test_a_secret_that_no_url_can_hold_is_refused() -> None:
    """Basecamp's stands in the URL."""
    with pytest.raises(ConfigurationError, match="stands in a URL"):
        load(RouterSettings, {"basecamp_webhook_secret": "a-secret/with-a-slash"})


@pytest.mark.requirement("webhook.secrets")
async def test_a_secret_that_is_replaced_holds_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file is read again while the router runs."""
    secret = tmp_path / "secret"
    secret.write_text("the-first-secret-of-github\n", encoding="utf-8")
    monkeypatch.setenv("TRUNKLINE_GITHUB_WEBHOOK_SECRET_FILE", str(secret))
    event = github("issues", CLOSED, "the-second-secret-of-github")
    async with running(Scripted()) as url, rereading({"scripted": url}) as mesh:
        assert (await event.to(mesh)).status == 401
        secret.write_text("the-second-secret-of-github", encoding="utf-8")
        async with asyncio.timeout(5):
            while (await event.to(mesh)).status == 401:
                pass


async def test_no_key_is_needed_and_none_helps() -> None:
    """Where keys are on, a delivery still carries its own proof, and only that counts."""
    secret = "a" * 32
    keys = [{"id": "ci", "hash": hashlib.sha256(secret.encode()).hexdigest(), "scopes": ["admin"]}]
    async with (
        running(Scripted()) as url,
        hooked({"scripted": url}, configured={"keys": keys}) as mesh,
    ):
        assert (await github("issues", CLOSED).to(mesh)).status == 202
        forged = github("issues", CLOSED, "another-secret-of-github")
        forged = forged.changed(authorization=f"Bearer tl_ci_{secret}")
        assert (await forged.to(mesh)).status == 401


async def test_paths_and_methods_are_as_documented(mesh: Mesh) -> None:
    """GET is none, another vendor is none, and a page of another site cannot deliver."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{mesh.url}/webhooks/github") as got,
    ):
        assert (got.status, got.headers["Allow"]) == (405, "POST")
    assert (await Post(path="/webhooks/gitlab", body=b"").to(mesh)).status == 404
    assert (await Post(path="/webhooks/github/more", body=b"").to(mesh)).status == 404
    foreign = github("issues", CLOSED).changed(origin="https://evil.example")
    assert (await foreign.to(mesh)).status == 403
    elsewhere = github("issues", CLOSED).changed(host="evil.example")
    assert (await elsewhere.to(mesh)).status == 421


async def test_a_body_is_bounded_in_size(mesh: Mesh) -> None:
    """Said to be too large, or found to be: 413; a push of many commits is none."""
    too_large = github("push", {}).changed(body=b"x" * (25 * 1024 * 1024 + 1))
    assert (await too_large.to(mesh)).status == 413
    large = basecamp("todo_completed", {"id": 1}).changed(body=b" " * (1024 * 1024 + 1))
    assert (await large.to(mesh)).status == 413
    commits = [{"message": "x" * 1000}] * 5_000
    assert (await github("push", {"ref": "refs/heads/main", "commits": commits}).to(mesh)).json[
        "bumped"
    ] == ["gh:acme/widgets:branches/main"]


async def test_a_body_is_bounded_in_time(mesh: Mesh) -> None:
    """Whoever begins a delivery and does not end it is told so."""
    event = github("issues", CLOSED)
    head = "".join(f"{name}: {value}\r\n" for name, value in event.headers.items())
    reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
    writer.write(
        f"POST /webhooks/github HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}"
        f"Content-Length: {len(event.body)}\r\n\r\n".encode()
    )
    async with asyncio.timeout(5):
        status = await reader.readline()
    assert b"408" in status
    assert QUICK.limits.body_s < 1
    writer.close()


async def test_few_packed_deliveries_are_unpacked_at_once(mesh: Mesh) -> None:
    """Some kilobytes become many megabytes: what is packed waits for a place as what is large."""
    body = gzip.compress(b" " * (8 * 1024 * 1024))
    event = github("issues", CLOSED).changed(content_encoding="gzip")
    head = "".join(f"{name}: {value}\r\n" for name, value in event.headers.items())
    request = (
        f"POST /webhooks/github HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
    )
    async with AsyncExitStack() as opened, asyncio.timeout(5), asyncio.TaskGroup() as answers:
        statuses = []
        for sent in (*[body[:-1]] * 4, body):
            reader, writer = await asyncio.open_connection("127.0.0.1", mesh.port)
            opened.callback(writer.close)
            writer.write(request + sent)
            statuses.append(answers.create_task(reader.readline()))
        first, _ = await asyncio.wait(statuses, return_when=asyncio.FIRST_COMPLETED)
    assert first != {statuses[4]}, "one that is complete has waited for those that are not"
    assert [status.result().split()[1] for status in statuses] == [b"408"] * 4 + [b"401"]


@pytest.mark.requirement("webhook.silence")
async def test_secrets_are_in_no_log_and_no_span(
    mesh: Mesh, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the path with Basecamp's secret nor a signature, of good and of bad deliveries."""
    caplog.set_level(logging.DEBUG)
    for event in (
        github("issues", CLOSED),
        basecamp("todo_completed", {"id": 1}),
        basecamp("todo_completed", {"id": 1}).changed(body=b"{"),
        Post(path=f"/webhooks/basecamp/{delivering.BASECAMP_SECRET}/x", body=b"{}"),
        jira("jira:issue_updated", ISSUE),
    ):
        await event.to(mesh)
    recorded = repr([(span.name, span.attributes) for span in mesh.spans])
    assert "webhook basecamp" in recorded
    said = recorded + caplog.text
    for secret in SECRETS.values():
        assert secret not in said


@pytest.mark.requirement("webhook.proof")
def test_the_signature_is_github_s_own_example() -> None:
    """The one in GitHub's documentation of how to test it."""
    expected = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert signed("It's a Secret to Everybody", b"Hello, World!") == expected
    digest = hmac.new(b"It's a Secret to Everybody", b"Hello, World!", hashlib.sha256)
    assert expected.endswith(digest.hexdigest())
