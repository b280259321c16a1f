"""What agents, servers and vendors write is text on the page, whatever it looks like."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

import httpx2
import pytest
from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from playwright.async_api import Page, Route, expect

from tests.browser.browsing import Browsing
from tests.browser.told import row, tell
from tests.browser.visiting import VIEWS, go, visit
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Json, Scripted, result, running, tool
from tests.interaction.wire import call_modern
from trunkline_shared.clock import SystemClock

pytestmark = pytest.mark.anyio

MESH_KEY = "the-mesh-key-of-this-test"
TURNED = "\u202eexe.gnp\u2066"
EVIL = f"<img src=x onerror=window.ran=1><script>window.ran=1</script>{TURNED}"
LINK = "javascript:window.ran=1"
SEVERAL_S = 5


def hostile_tool() -> Json:
    """Return a definition whose every text is hostile."""
    schema: Json = {
        "type": "object",
        "title": EVIL,
        "properties": {
            "plain": {"type": "string", "description": EVIL, "default": EVIL},
            EVIL: {"type": "string", "enum": [EVIL, LINK], "title": EVIL},
        },
        "required": ["plain"],
    }
    return tool("innocent") | {"title": EVIL, "description": EVIL, "inputSchema": schema}


async def answer(http: web.Request, request: Json) -> web.StreamResponse:
    """Answer any call with a hostile result, or fail with a hostile message."""
    content = [{"type": "text", "text": EVIL}, {"type": "text", "text": f'{{"url": "{LINK}"}}'}]
    return result(request, {"resultType": "complete", "content": content, "isError": True})


@dataclass(frozen=True, kw_only=True)
class Hostile:
    """A mesh where everything has been said that could be taken for markup."""

    mesh: Mesh
    trace: str


def spans(trace_id: str) -> bytes:
    """Return a server's spans, as OTLP has them, with hostile names and attributes."""
    told = ExportTraceServiceRequest()
    resource = told.resource_spans.add()
    service = resource.resource.attributes.add(key="service.name")
    service.value.string_value = EVIL
    span = resource.scope_spans.add().spans.add(
        trace_id=bytes.fromhex(trace_id),
        span_id=b"\x01" * 8,
        name=EVIL,
        kind=2,
        start_time_unix_nano=1_700_000_000_000_000_000,
        end_time_unix_nano=1_700_000_000_100_000_000,
    )
    for key, value in {EVIL: EVIL, "url.full": LINK, "error.type": EVIL}.items():
        span.attributes.add(key=key).value.string_value = value
    span.status.message = EVIL
    return told.SerializeToString()


@pytest.fixture(scope="module")
async def hostile(anyio_backend: str) -> AsyncIterator[Hostile]:
    """A mesh with a hostile server, called by a hostile agent."""
    async with AsyncExitStack() as stack:
        server = Scripted(answer=answer, tools=[hostile_tool(), tool(EVIL)])
        url = await stack.enter_async_context(running(server))
        mesh = await stack.enter_async_context(routing({"evil": url}, mesh_key=MESH_KEY))
        await call_modern(mesh.port, "innocent", arguments={"plain": EVIL})
        await call_modern(mesh.port, EVIL)
        trace = next(span.trace for span in mesh.spans if "innocent" in span.name)
        headers = {
            "Authorization": f"Bearer {MESH_KEY}",
            "Content-Type": "application/x-protobuf",
        }
        async with httpx2.AsyncClient(headers=headers, timeout=SEVERAL_S) as http:
            taken = await http.post(f"{mesh.url}/v1/traces", content=spans(trace))
        assert taken.status_code == 200, taken.text
        yield Hostile(mesh=mesh, trace=trace)


async def harmless(page: Page) -> None:
    """Assert that nothing of the hostile texts has become an element, or was run."""
    found = await page.evaluate(
        """() => ({
          ran: window.ran ?? null,
          images: document.querySelectorAll("img[src='x'], main script, main img[onerror]").length,
          links: [...document.querySelectorAll("[href], [src], [action]")]
            .filter((element) => /^javascript:/i.test(
              element.getAttribute("href") ?? element.getAttribute("src") ?? "")).length,
        })"""
    )
    assert found == {"ran": None, "images": 0, "links": 0}


@pytest.mark.requirement("seeing.page-no-markup")
@pytest.mark.parametrize("view", VIEWS)
async def test_no_view_takes_a_text_for_markup(
    browsing: Browsing, hostile: Hostile, view: str
) -> None:
    """Names, titles, descriptions, schemas and errors."""
    page = await visit(browsing, hostile.mesh.url, view)
    await expect(page.get_by_text("Loading")).to_have_count(0)
    await harmless(page)


@pytest.mark.requirement("seeing.page-no-markup")
async def test_no_agent_s_name_becomes_markup(browsing: Browsing, hostile: Hostile) -> None:
    """Nor that of a server, a tool, a source or an error, in feed, filters, state and traces."""
    browsing.outage = True
    page = await browsing.blank()
    names = dict.fromkeys(("agent", "server", "tool", "source", "error", "name"), EVIL)
    evil = row(started=SystemClock().now(), **names)
    await tell(page, [("state", state()), ("call", evil)])
    await page.route("**/api/traces?**", answering({"kept": 1, "limit": 1, "traces": [evil]}))
    await page.goto(hostile.mesh.url)
    feed = page.get_by_role("list", name="Latest calls")
    await expect(feed.get_by_text("<img src=x onerror").first).to_be_visible()
    await expect(page.get_by_role("heading", name="<img src=x onerror")).to_be_visible()
    await harmless(page)
    await go(page, "traces")
    await expect(page.get_by_role("table").get_by_text("<img src=x").first).to_be_visible()
    await harmless(page)


def state() -> Json:
    """Return how a mesh stands whose server and credential have hostile names."""
    breaker = {"state": EVIL, "consecutiveFailures": 3, "resets_in_s": 1, "probes": 1}
    breaker |= {"lastFailureTime": 0, "opened_at": None}
    server = {
        "available": False,
        "breaker": breaker,
        "latency_ms": {"p50": None, "p99": None},
        "tools": 1,
        "in_flight": 0,
        "queued": 0,
        "last_error": EVIL,
    }
    quota = {"credential": EVIL, "resource": EVIL, "limit": 10, "remaining": 1, "resets_in_s": 5}
    cache = {"on": True, "mode": EVIL, "calls_saved": 0, "quota_saved": 0, "hit_ratio": None}
    return {"servers": {EVIL: server}, "cache": cache, "quota": [quota], "point": None}


def answering(body: object) -> Callable[[Route], Awaitable[None]]:
    """Return what answers a request of the page in the router's place."""

    async def answer(route: Route) -> None:
        await route.fulfill(json=body)

    return answer


@pytest.mark.requirement("seeing.page-no-markup")
async def test_no_attribute_of_a_span_becomes_markup(browsing: Browsing, hostile: Hostile) -> None:
    """A span's name, its service, keys, values, errors, and an address that is no address."""
    page = await visit(browsing, hostile.mesh.url, f"traces/{hostile.trace}")
    await page.get_by_role("button", name="<img src=x onerror").click()
    await expect(page.get_by_text(LINK).first).to_be_visible()
    await harmless(page)


@pytest.mark.requirement("seeing.page-no-markup")
async def test_a_hostile_tool_can_be_tried(browsing: Browsing, hostile: Hostile) -> None:
    """Its schema is a form, and what it answers is shown as it is."""
    page = await visit(browsing, hostile.mesh.url, "catalogue/evil/innocent")
    await page.get_by_label("plain").first.fill("x")
    await page.get_by_role("button", name="Call").click()
    answered = page.get_by_role("region", name="text of the answer").first
    await expect(answered).to_contain_text("<script>window.ran=1")
    await harmless(page)


@pytest.mark.requirement("seeing.page-no-markup")
@pytest.mark.parametrize(
    "place",
    [
        f"?agent={EVIL}&server={EVIL}&tool={EVIL}",
        f"traces/{EVIL}",
        f"catalogue/{EVIL}/{EVIL}",
        EVIL,
    ],
)
async def test_no_address_puts_markup_on_the_page(
    browsing: Browsing, hostile: Hostile, place: str
) -> None:
    """A link that somebody sends can narrow the page and cannot change it."""
    browsing.outage = True
    page = await visit(browsing, hostile.mesh.url, place)
    await harmless(page)


@pytest.mark.requirement("seeing.page-no-markup")
async def test_a_text_that_turns_the_direction_turns_nothing_else(
    browsing: Browsing, hostile: Hostile
) -> None:
    """No character that reorders what stands around it is left on the page as it is."""
    page = await visit(browsing, hostile.mesh.url, "catalogue/evil/innocent")
    await expect(page.get_by_text("<img src=x onerror").first).to_be_visible()
    shown = await page.evaluate("document.body.innerText")
    assert not set(shown) & {"\u202e", "\u2066", "\u202d", "\u2067"}
