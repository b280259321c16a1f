"""What is measured: each request once, with its cost, and nothing that it said."""

import asyncio
from pathlib import Path

import orjson
import pytest

from tests.interaction.cache_operating import EYE, KEYS, WORKER
from tests.interaction.caching import TTL_S, Library, call, library
from tests.interaction.guarding import Mood, calls, sick
from tests.interaction.keys import bearing
from tests.interaction.measuring import SENT, SERVED, by, measured, total
from tests.interaction.mesh import routing, sample_server
from tests.interaction.quota_notes import noting
from tests.interaction.test_cache_stale import failing
from tests.interaction.upstreams import Scripted, running, tool
from tests.interaction.wire import call_modern, get, legacy, modern, modern_headers, post
from trunkline_shared.errors import NotFound
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

COUNT = f"{SERVED}_count"


async def every_end(books: Library) -> None:
    """Call tools eight times: each way in which a call can end."""
    await call(books.one, "look")
    await call(books.one, "look")
    gate = books.documents.hold("look_at_comments")
    async with asyncio.TaskGroup() as tasks:
        first = tasks.create_task(call(books.one, "look_at_comments"))
        await gate.asked.wait()
        second = tasks.create_task(call(books.one, "look_at_comments"))
        await _joined(books)
        gate.free.set()
    assert {first.result().source, second.result().source} == {"upstream", "coalesced"}
    await call(books.one, "change", "2")
    books.clock.advance(TTL_S + 1)
    books.documents.mood = failing(sick())
    assert (await call(books.one, "look")).source == "stale"
    books.documents.mood = failing(NotFound("There is none."))
    await call(books.one, "find")
    await call_modern(books.one.port, "no_such_tool", arguments={"id": "secret-argument"})


async def _joined(books: Library) -> None:
    """Wait until a second call waits for the first one's answer."""
    while (await get(books.one.port, "/metrics")).body.decode().find(
        "trunkline_calls_in_flight 2.0"
    ) < 0:
        pass


@pytest.mark.requirement("seeing.histograms")
async def test_each_request_is_timed_once_by_how_it_ended() -> None:
    """Miss, hit, follower, write, stale, error, refusal: as many as were asked, none twice."""
    async with library() as books:
        await every_end(books)
        seen = await measured(books.one)
    ended = by(seen, COUNT, "trunkline_source", "error_type", "rpc_response_status_code")
    assert ended == {
        ("upstream", "", ""): 3,
        ("cache", "", ""): 1,
        ("coalesced", "", ""): 1,
        ("stale", "", ""): 1,
        ("upstream", "tool_error", ""): 1,
        ("", "", "-32602"): 1,
    }
    tools = by(seen, COUNT, "gen_ai_tool_name", "trunkline_server", "gen_ai_operation_name")
    assert tools == {
        ("look", "github", "execute_tool"): 3,
        ("look_at_comments", "github", "execute_tool"): 2,
        ("change", "github", "execute_tool"): 1,
        ("find", "github", "execute_tool"): 1,
        ("_OTHER", "", "execute_tool"): 1,
    }


@pytest.mark.requirement("seeing.histograms")
async def test_each_request_to_a_server_is_timed_once() -> None:
    """What no server was asked is not in it; where it is, and how it is spoken to, are."""
    async with library() as books:
        await every_end(books)
        seen = await measured(books.one)
        port = books.scripted.url.rpartition(":")[2]
    assert total(seen, f"{SENT}_count") == len(books.documents.heard) == 5
    assert total(seen, f"{SENT}_count", server_port=port, network_transport="tcp") == 5
    assert total(seen, f"{SENT}_count", error_type="tool_error") == 2
    assert total(seen, "trunkline_server_calls_total") == 5


@pytest.mark.requirement("seeing.histograms")
async def test_a_histogram_has_the_conventions_buckets_and_its_sum_is_in_seconds() -> None:
    """From a hundredth of a second to five minutes."""
    async with running(Scripted()) as url, routing({"a": url}) as mesh:
        await call_modern(mesh.port, "act")
        seen = await measured(mesh)
        spans = [span for span in mesh.spans if span.name == "tools/call act"]
    ends = [float(one.labels["le"]) for one in seen if one.name == f"{SERVED}_bucket"]
    assert ends[:-1] == [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
    server, client = sorted(spans, key=lambda span: span.started)
    assert server.ended > server.started
    assert total(seen, f"{SERVED}_sum") == pytest.approx(server.ended - server.started)
    assert total(seen, f"{SENT}_sum") == pytest.approx(client.ended - client.started)


@pytest.mark.requirement("seeing.exemplars")
async def test_a_bucket_names_the_trace_of_who_fell_into_it_last() -> None:
    """Its ids are those of a span of the mesh, its value and time those of that request."""
    async with library() as books:
        await every_end(books)
        seen = await measured(books.one)
        known = {(span.trace, f"{span.span_id:016x}"): span for span in books.one.spans}
    shown = [sample.exemplar for sample in seen if sample.exemplar is not None]
    assert len(shown) >= 7
    for exemplar in shown:
        span = known[exemplar.labels["trace_id"], exemplar.labels["span_id"]]
        assert exemplar.value == pytest.approx(span.ended - span.started)
        assert exemplar.timestamp is not None
        assert float(exemplar.timestamp) == pytest.approx(span.ended, abs=0.001)


@pytest.mark.requirement("seeing.tokens")
async def test_tokens_are_counted_by_agent_server_and_tool() -> None:
    """By the stated rule: arguments as JSON, the text of the content, four bytes each."""
    async with library(configured=KEYS) as books:
        seen = [await call(books.one, "look", bearer=WORKER) for _ in range(3)]
        page = (await get(books.one.port, "/api/tokens", bearing(EYE))).json
        counted = await measured(books.one, EYE)
    text = len(seen[0].result["content"][0]["text"].encode())
    spent = {"calls": 3, "tokens_in": 3 * _tokens(b'{"id":"1"}'), "tokens_out": 3 * -(-text // 4)}
    assert page["rows"] == [{"agent": "worker", "server": "github", "tool": "look"} | spent]
    assert page["from_cache"] == 2 * -(-text // 4)
    assert "four bytes" in page["rule"]
    whose = {"agent": "worker", "server": "github", "tool": "look"}
    assert total(counted, "trunkline_tokens_in_total", **whose) == spent["tokens_in"]
    assert total(counted, "trunkline_tokens_out_total", **whose) == spent["tokens_out"]


def _tokens(raw: bytes) -> int:
    return -(-len(raw) // 4)


@pytest.mark.requirement("seeing.tokens")
async def test_a_refusal_that_a_tool_gives_costs_tokens_too() -> None:
    """An agent reads it as it reads any other result; with what it wrote, however it ended."""
    async with running(Scripted(answer=Mood(error=sick()))) as url, routing({"ill": url}) as mesh:
        replies = [await call_modern(mesh.port, "act", arguments={"a": "é"}) for _ in range(4)]
        seen = await measured(mesh)
    texts = [reply.result["content"][0]["text"].encode() for reply in replies]
    assert total(seen, "trunkline_tokens_out_total") == sum(map(_tokens, texts))
    assert total(seen, "trunkline_tokens_in_total") == 4 * _tokens(orjson.dumps({"a": "é"}))
    refused = by(seen, "trunkline_refusals_total", "server", "code")
    assert refused == {("ill", "CIRCUIT_OPEN"): 1}


@pytest.mark.requirement("seeing.tokens", "gateway.scopes")
async def test_the_tokens_page_needs_the_scope_observe() -> None:
    """And is read by GET alone."""
    async with library(configured=KEYS) as books:
        port = books.one.port
        replies = [await get(port, "/api/tokens", bearing(key)) for key in (None, WORKER, EYE)]
        assert [reply.status for reply in replies] == [401, 403, 200]
        posted = await post(port, b"", bearing(EYE), "/api/tokens")
    assert (posted.status, posted.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.requirement("seeing.counters")
async def test_refusals_are_counted_by_their_codes() -> None:
    """The caller's own mistakes, what the door refuses, and a server that is left alone."""
    async with library(configured=KEYS) as books:
        port = books.one.port
        await post(port, modern("tools/list"), modern_headers("tools/list"))
        body = modern("no/such", {})
        await post(port, body, modern_headers("no/such") | bearing(WORKER))
        await call(books.one, "no_such_tool", bearer=WORKER)
        seen = await measured(books.one, EYE)
    refused = by(seen, "trunkline_refusals_total", "server", "code")
    assert refused == {("", "HTTP_401"): 1, ("", "-32601"): 1, ("", "-32602"): 1}


@pytest.mark.requirement("seeing.counters")
async def test_a_wait_for_a_slot_is_timed_and_a_full_queue_counted() -> None:
    """Two wait in turn, the next one is refused."""
    mood = Mood(held=asyncio.Event())
    entry = {"servers": {"a": {"concurrency": 1, "queue": 1}}}
    async with (
        running(Scripted(answer=mood, tools=[tool("act")])) as url,
        routing({"a": url}, configured=entry) as mesh,
        asyncio.TaskGroup() as tasks,
    ):
        for _ in range(2):
            tasks.create_task(call_modern(mesh.port, "act"))
        while total(await measured(mesh), "trunkline_server_queued", server="a") < 1:
            pass
        now = await measured(mesh)
        refused = await call_modern(mesh.port, "act")
        assert mood.held is not None
        mood.held.set()
        while total(await measured(mesh), "trunkline_calls_in_flight"):
            pass
        seen = await measured(mesh)
    assert refused.result["isError"] is True
    assert total(now, "trunkline_calls_in_flight") == 2
    assert total(seen, "trunkline_server_queue_duration_seconds_count", server="a") == 1
    assert total(seen, "trunkline_refusals_total", server="a", code="OVERLOADED") == 1


@pytest.mark.requirement("seeing.counters")
async def test_each_change_of_a_breaker_is_counted() -> None:
    """By the state that it came into."""
    async with running(Scripted(answer=Mood(error=sick()))) as url, routing({"ill": url}) as mesh:
        await calls(mesh, "act", 4)
        seen = await measured(mesh)
    changed = by(seen, "trunkline_server_breaker_transitions_total", "server", "state")
    assert changed == {("ill", "open"): 1}


@pytest.mark.requirement("seeing.counters")
async def test_what_a_vendor_confirmed_is_counted() -> None:
    """A 304 has cost no quota."""
    async with library() as books:
        books.documents.mood = noting(4000, spent=0, confirmed=2)
        await call(books.one, "look")
        await call(books.one, "look")
        seen = await measured(books.one)
    assert total(seen, "trunkline_cache_confirmed_total") == 2


@pytest.mark.requirement("seeing.counters")
async def test_records_of_writes_are_counted_where_there_is_a_log(tmp_path: Path) -> None:
    """Once they are written; reads have none."""
    async with asyncio.timeout(20), library(audit_log=str(tmp_path / "audit.jsonl")) as books:
        await call(books.one, "look")
        await call(books.one, "change")
        while not by(seen := await measured(books.one), "trunkline_audit_records_total", "outcome"):
            pass
    assert by(seen, "trunkline_audit_records_total", "outcome") == {("written",): 1}


@pytest.mark.requirement("seeing.bounded-labels")
async def test_what_an_agent_sends_is_in_no_label() -> None:
    """Neither names that it makes up, nor arguments, nor its version, nor its key."""
    async with serving(sample_server()) as url, routing({"sample": url}) as mesh:
        for number in range(30):
            await call_modern(mesh.port, f"secret-{number}", arguments={"a": "secret-argument"})
            params = {"name": "secret", "uri": f"secret://{number}", "protocolVersion": "secret"}
            for method in ("prompts/get", "resources/read", f"secret/{number}", "initialize"):
                await post(mesh.port, legacy(method, params))
        await call_modern(mesh.port, "echo", arguments={"text": "secret-argument"})
        seen = await measured(mesh)
        raw = (await get(mesh.port, "/metrics")).body
    assert b"secret" not in raw
    assert total(seen, COUNT) == 30 * 5 + 1
    assert len(by(seen, COUNT, *_labels(seen))) < 10


def _labels(seen: object) -> list[str]:
    assert isinstance(seen, list)
    return sorted({label for one in seen if one.name == COUNT for label in one.labels})
