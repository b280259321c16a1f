"""The mesh for a program: its calls through a real router, and what comes back."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from aiohttp import web

from tests.interaction import keys
from tests.interaction.delegating import SECRET
from tests.interaction.guarding import Mood, sick
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.upstreams import Json, Scripted, cut, running, tool
from trunkline_shared import errors
from trunkline_shared.client import MeshClient
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

WORKER = keys.entry("worker", scopes=["tools", "contexts"])
PLAIN = keys.entry("plain", scopes=["tools"])
BLIND = keys.entry("blind", scopes=["observe"])


@dataclass(frozen=True, kw_only=True)
class Samples:
    """A router before a sample server, and a scripted one whose mood changes."""

    mesh: Mesh
    tools: SampleTools
    mood: Mood
    scripted: Scripted


async def _raises(kind: type[errors.TrunklineError], said: str, asked: Awaitable[object]) -> None:
    with pytest.raises(kind, match=said):
        await asked


@asynccontextmanager
async def samples(*entries: dict[str, object]) -> AsyncIterator[Samples]:
    """Run them; with keys, nobody is let in without one."""
    tools, mood = SampleTools(), Mood()
    scripted = Scripted(answer=mood, tools=[tool("act"), tool("write", read_only=False)], page=1)
    async with (
        serving(sample_server(tools)) as one,
        running(scripted) as two,
        routing(
            {"sample": one, "other": two},
            configured={"keys": list(entries)},
            secret=SECRET,
        ) as mesh,
    ):
        yield Samples(mesh=mesh, tools=tools, mood=mood, scripted=scripted)


@pytest.fixture
async def here() -> AsyncIterator[Samples]:
    """A mesh that needs no key, as on a laptop."""
    async with samples() as made:
        yield made


@pytest.mark.requirement("bridge.client-calls")
async def test_a_call_has_its_structured_content_its_text_and_its_note(here: Samples) -> None:
    """By the name in the mesh, and by the tool's own name on its server."""
    async with MeshClient.connect(here.mesh.url, name="conductor") as mesh:
        by_name = await mesh.call_tool("echo", {"text": "grün"})
        on_server = await mesh.call_tool("echo", {"text": "blau"}, server="sample")
        await mesh.call_tool("meta")
    assert by_name.structured == {"said": "grün"}
    assert by_name.text == '{"said":"grün"}'
    assert by_name.content[0]["type"] == "text"
    assert (by_name.note.server, by_name.note.source) == ("sample", "upstream")
    assert by_name.note.trace_id in {f"{span.trace_id:032x}" for span in here.mesh.spans}
    assert on_server.structured == {"said": "blau"}
    assert here.tools.seen


@pytest.mark.requirement("bridge.client-calls")
@pytest.mark.parametrize("path", ["", "/", "/mcp", "/mcp/"])
async def test_the_url_is_the_routers_with_or_without_its_path(here: Samples, path: str) -> None:
    """As people have it at hand."""
    async with MeshClient.connect(f"{here.mesh.url}{path}") as mesh:
        assert (await mesh.call_tool("echo", {"text": "x"}, server="sample")).text


@pytest.mark.requirement("bridge.client-calls")
async def test_tools_are_listed_to_the_last_page(here: Samples) -> None:
    """All of them, or those of a server, with what they do to the world."""
    async with MeshClient.connect(here.mesh.url) as mesh:
        whole = {one.name: one for one in await mesh.list_tools()}
        other = await mesh.list_tools("other")
    assert {"echo", "hang", "act", "write"} <= whole.keys()
    assert [one.name for one in other] == ["act", "write"]
    assert other[0].annotations is not None
    assert other[0].annotations.read_only_hint is True


@pytest.mark.requirement("bridge.client-errors")
@pytest.mark.parametrize("kind", errors.BY_CODE.values(), ids=lambda kind: kind.code)
async def test_each_error_of_a_tool_is_raised_as_it_was(kind: type[errors.TrunklineError]) -> None:
    """Code, message, hint, whether and when to come again, details."""
    raised = kind("It went wrong.", hint="Do this.", retry_after=7, details={"n": 1})
    async with samples() as here:
        here.mood.error = raised
        async with MeshClient.connect(here.mesh.url) as mesh:
            with pytest.raises(kind) as caught:
                await mesh.call_tool("act")
    error = caught.value
    assert (error.message, error.hint) == (raised.message, raised.hint)
    assert (error.retryable, error.retry_after) == (raised.retryable, raised.retry_after)
    assert error.details == raised.details


@pytest.mark.requirement("bridge.client-errors")
async def test_an_open_breaker_says_when_to_come_again(here: Samples) -> None:
    """Nothing is repeated on the way there: three calls are three calls."""
    here.mood.error = sick()
    async with MeshClient.connect(here.mesh.url) as mesh:
        for _ in range(3):
            with pytest.raises(errors.UpstreamUnavailable):
                await mesh.call_tool("act")
        with pytest.raises(errors.CircuitOpen) as refused:
            await mesh.call_tool("act")
    assert here.mood.begun == 3
    assert refused.value.retryable
    assert refused.value.retry_after
    assert 0 < refused.value.retry_after <= 330


@pytest.mark.requirement("bridge.client-errors")
@pytest.mark.parametrize(
    ("name", "arguments", "server", "kind", "said"),
    [
        ("ecko", {}, None, errors.Unsupported, "echo"),
        ("echo", {}, "sampel", errors.Unsupported, "sample"),
        ("echo", {"text": 1}, None, errors.InvalidInput, "text"),
    ],
)
async def test_what_is_not_there_or_not_right_is_named(
    here: Samples,
    name: str,
    arguments: dict[str, object],
    server: str | None,
    kind: type[errors.TrunklineError],
    said: str,
) -> None:
    """With what is near to it."""
    async with MeshClient.connect(here.mesh.url) as mesh:
        with pytest.raises(kind, match=said) as refused:
            await mesh.call_tool(name, arguments, server=server)
    assert not refused.value.retryable


async def gave_up(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer like a gateway behind which the router took too long."""
    return web.Response(text="Gateway Timeout", status=504)


@pytest.mark.requirement("bridge.client-errors")
async def test_a_call_that_may_have_arrived_is_not_for_repeating() -> None:
    """Late or cut off: nobody knows. A router that was never reached is another matter."""
    async with running(Scripted(answer=cut)) as url, MeshClient.connect(url) as mesh:
        with pytest.raises(errors.NetworkError) as broken:
            await mesh.call_tool("write")
    async with running(Scripted(answer=gave_up)) as url, MeshClient.connect(url) as mesh:
        with pytest.raises(errors.UpstreamUnavailable) as lost:
            await mesh.call_tool("write")
    async with samples() as here, MeshClient.connect(here.mesh.url) as mesh:
        here.mood.held = asyncio.Event()
        with pytest.raises(errors.UpstreamTimeout) as late:
            await mesh.call_tool("write", timeout_s=0.1)
    async with MeshClient.connect(url) as mesh:
        with pytest.raises(errors.NetworkError) as never:
            await mesh.call_tool("write")
    for error in (broken.value, lost.value, late.value):
        assert (error.retryable, error.details["may_have_happened"]) == (False, True)
    assert never.value.retryable
    assert "may_have_happened" not in never.value.details


@pytest.mark.requirement("bridge.client-cancels")
async def test_a_cancelled_call_ends_in_the_mesh(here: Samples) -> None:
    """The request is given up, and the router tells the server."""
    async with MeshClient.connect(here.mesh.url) as mesh, asyncio.timeout(5):
        async with asyncio.TaskGroup() as tasks:
            hanging = tasks.create_task(mesh.call_tool("hang"))
            await here.tools.started.wait()
            hanging.cancel()
        await here.tools.cancelled.wait()


@pytest.mark.requirement("bridge.client-tokens")
async def test_a_key_opens_a_mesh_that_wants_one() -> None:
    """Without it, with a wrong one and with one that may not, each is told what is lacking."""
    async with samples(WORKER, PLAIN, BLIND) as here:
        url = here.mesh.url
        async with MeshClient.connect(url, token=keys.key_of("plain")) as mesh:
            assert (await mesh.call_tool("echo", {"text": "x"})).structured == {"said": "x"}
            await _raises(errors.PermissionDenied, "contexts", mesh.context())
        async with MeshClient.connect(url) as mesh:
            await _raises(errors.CredentialsMissing, "Bearer", mesh.call_tool("meta"))
            await _raises(
                errors.CredentialsMissing, "Bearer", mesh.call_tool("meta", server="sample")
            )
            await _raises(errors.AuthError, "Bearer", mesh.context())
        async with MeshClient.connect(url, token="tl_plain_wrong") as mesh:
            await _raises(errors.AuthError, "not valid", mesh.list_tools())
        async with MeshClient.connect(url, token=keys.key_of("blind")) as mesh:
            await _raises(errors.PermissionDenied, "scope tools", mesh.list_tools())


@pytest.mark.requirement("bridge.client-tokens")
async def test_a_token_stands_in_no_representation_and_in_no_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither the program's own nor the one that was minted for a job."""
    secret = keys.key_of("worker")
    caplog.set_level(logging.DEBUG)
    async with samples(WORKER) as here, MeshClient.connect(here.mesh.url, token=secret) as mesh:
        job = await mesh.context(tools=["mcp__sample__echo"])
        assert job.entrance.token
        with pytest.raises(errors.Unsupported) as refused:
            await job.call_tool("act")
        shown = [repr(mesh), repr(job), str(refused.value), repr(refused.value.details)]
    logged = [record.getMessage() for record in caplog.records]
    for text in (secret, job.entrance.token):
        assert not [one for one in shown + logged if text in one]


@pytest.mark.requirement("bridge.client-contexts")
@pytest.mark.parametrize("key", [None, "worker"])
async def test_a_client_for_a_job_does_less_and_ends(key: str | None) -> None:
    """On a laptop too; it lives beside the client that it came from."""
    token = None if key is None else keys.key_of(key)
    entries = [WORKER] if key else []
    async with (
        samples(*entries) as here,
        MeshClient.connect(here.mesh.url, token=token) as mesh,
    ):
        job = await mesh.context(tools=["mcp__sample__e*"], ttl_s=60)
        assert [one.name for one in await job.list_tools()] == ["echo"]
        assert (await job.call_tool("echo", {"text": "x"})).structured == {"said": "x"}
        await _raises(errors.Unsupported, "act", job.call_tool("act"))
        await _raises(errors.PermissionDenied, "contexts", job.context())
        assert len(await mesh.list_tools()) > 1
    assert mesh.expires_at is None
    assert job.expires_at is not None
    assert job.expires_at.utcoffset() is not None


@pytest.mark.requirement("bridge.client-contexts")
async def test_what_no_job_can_have_is_refused_with_its_key(here: Samples) -> None:
    """As the router says it."""
    async with MeshClient.connect(here.mesh.url) as mesh:
        with pytest.raises(errors.InvalidInput, match="mcp__SERVER__TOOL") as refused:
            await mesh.context(tools=["echo"])
        with pytest.raises(errors.InvalidInput, match="positive whole number"):
            await mesh.context(bind={"pr_number": "twelve"})
    assert refused.value.details["key"] == "tools.0"
    assert refused.value.hint


@pytest.mark.requirement("bridge.client-errors")
async def test_a_list_without_an_end_is_given_up() -> None:
    """Whatever answers in the router's place: a program does not read on for ever."""

    endless = Scripted(page=0)
    async with running(endless) as url, MeshClient.connect(url) as mesh, asyncio.timeout(5):
        with pytest.raises(errors.UpstreamUnavailable, match="pages"):
            await mesh.list_tools()
