"""`/v1/traces`: the mesh's own servers hand in their spans there, and nobody else anything."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SpanExportResult

from tests.interaction.cache_operating import BOSS, KEYS
from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh, routing
from tests.interaction.reloading import rereading
from tests.interaction.seeing import MESH_KEY, SPANS, hand_in, page, post_spans
from tests.interaction.wire import head, send
from tests.unit.trunkline_router.telemetry.spanning import message, sent

pytestmark = pytest.mark.anyio
NOWHERE = {"github": "http://127.0.0.1:1"}
ONE = message(sent(1, 2))


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router with a mesh key, and with keys for agents."""
    async with routing(NOWHERE, settled=False, mesh_key=MESH_KEY, configured=KEYS) as made:
        yield made


@pytest.mark.requirement("seeing.traces-taken")
async def test_spans_are_taken_and_answered_as_otlp_says(mesh: Mesh) -> None:
    """Packed or not; the answer is an empty message in the same format."""
    for reply in (await post_spans(mesh, ONE), await hand_in(mesh, sent(1, 3))):
        assert (reply.status, reply.headers["content-type"]) == (200, "application/x-protobuf")
        assert ExportTraceServiceResponse.FromString(reply.body) == ExportTraceServiceResponse()


@pytest.mark.requirement("seeing.traces-taken")
async def test_spans_that_belong_nowhere_are_counted_in_the_answer(mesh: Mesh) -> None:
    """A partial success, which no exporter repeats."""
    reply = await hand_in(mesh, sent(1, 2), sent(0, 3), sent(4, 0))
    told = ExportTraceServiceResponse.FromString(reply.body).partial_success
    assert (reply.status, told.rejected_spans) == (200, 2)
    assert "ids" in told.error_message


@pytest.mark.requirement("seeing.traces-taken")
async def test_the_sdks_own_exporter_is_understood(mesh: Mesh) -> None:
    """What servers send with."""
    exporter = OTLPSpanExporter(f"{mesh.url}{SPANS}", headers=bearing(MESH_KEY))
    provider = TracerProvider(resource=Resource({"service.name": "jira"}), shutdown_on_exit=False)
    with provider.get_tracer("t").start_as_current_span("sdk") as span:
        pass
    result = await asyncio.to_thread(exporter.export, [span])  # type: ignore[list-item]  # the SDK's own
    assert result is SpanExportResult.SUCCESS
    exporter.shutdown()  # type: ignore[no-untyped-call]  # the SDK has no types here


@pytest.mark.requirement("seeing.traces-taken")
@pytest.mark.parametrize("key", ["", "another", BOSS, f"{MESH_KEY}x", MESH_KEY[:-1]])
async def test_nobody_without_the_meshs_key_hands_in_anything(mesh: Mesh, key: str) -> None:
    """No agent's key opens it either, and the key is no bearer of anything else."""
    refused = await post_spans(mesh, ONE, key=key)
    assert (refused.status, MESH_KEY in refused.json["error"]) == (401, False)
    assert (await page(mesh, "/status", MESH_KEY)).status == 401


@pytest.mark.requirement("seeing.traces-taken")
async def test_a_key_that_is_no_text_is_refused_like_any_other(mesh: Mesh) -> None:
    """A header may have any bytes; none of them are news for the log."""
    asked = head(ONE, bearing("BYTES"), port=mesh.port, path=SPANS).replace(b"BYTES", b"\xff\xed")
    assert (await send(mesh.port, asked + ONE)).status == 401


@pytest.mark.requirement("seeing.traces-taken")
async def test_without_a_mesh_key_nothing_is_taken() -> None:
    """And it is said why: an open door would take anybody's spans."""
    async with routing(NOWHERE, settled=False) as mesh:
        reply = await post_spans(mesh, ONE)
        assert (reply.status, "TRUNKLINE_MESH_KEY" in reply.json["error"]) == (404, True)


@pytest.mark.requirement("seeing.traces-taken")
@pytest.mark.parametrize("body", [b"\xff" * 40, b"\x0a\x05ab", b'{"resourceSpans": []}'])
async def test_what_is_no_message_is_refused(mesh: Mesh, body: bytes) -> None:
    """400, which no exporter repeats."""
    reply = await post_spans(mesh, body)
    assert (reply.status, "ExportTraceServiceRequest" in reply.json["error"]) == (400, True)


@pytest.mark.requirement("seeing.traces-taken")
async def test_other_formats_and_methods_are_refused(mesh: Mesh) -> None:
    """JSON by its name; reading by what is taken."""
    json = await post_spans(mesh, b"{}", {"Content-Type": "application/json"})
    assert (json.status, "application/x-protobuf" in json.json["error"]) == (415, True)
    assert (await page(mesh, SPANS)).status == 405


@pytest.mark.requirement("seeing.traces-taken")
async def test_bodies_are_bounded_packed_and_unpacked(mesh: Mesh) -> None:
    """4 MiB; a small body that unpacks to more is refused before it is all there."""
    assert (await post_spans(mesh, bytes(4 * 1024 * 1024 + 1))).status == 413
    bomb = gzip.compress(bytes(200 * 1024 * 1024), 9)
    reply = await post_spans(mesh, bomb, {"Content-Encoding": "gzip"})
    assert (reply.status, "4194304 bytes" in reply.json["error"]) == (413, True)


@pytest.mark.requirement("seeing.traces-taken")
async def test_a_damaged_or_slow_body_is_refused(mesh: Mesh) -> None:
    """In time, and typed."""
    damaged = await post_spans(mesh, b"no gzip at all", {"Content-Encoding": "gzip"})
    assert damaged.status == 400
    headers = bearing(MESH_KEY) | {"Content-Type": "application/x-protobuf"}
    begun = head(bytes(100), headers, port=mesh.port, path=SPANS) + b"few"
    assert (await send(mesh.port, begun)).status == 408


@pytest.mark.requirement("seeing.traces-taken")
async def test_a_renewed_mesh_key_holds_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one before it opens nothing any more."""
    secret = tmp_path / "key"
    secret.write_text("the-first-key", encoding="utf-8")
    monkeypatch.setenv("TRUNKLINE_MESH_KEY_FILE", str(secret))
    async with asyncio.timeout(10), rereading(NOWHERE) as mesh:
        assert (await post_spans(mesh, ONE, key="the-first-key")).status == 200
        secret.write_text("the-second-key", encoding="utf-8")
        while (await post_spans(mesh, ONE, key="the-second-key")).status != 200:
            pass
        assert (await post_spans(mesh, ONE, key="the-first-key")).status == 401


@pytest.mark.requirement("seeing.traces-taken")
async def test_an_empty_mesh_key_is_none() -> None:
    """It opens the door for nobody."""
    async with routing(NOWHERE, settled=False, mesh_key="") as mesh:
        assert (await post_spans(mesh, ONE, key="")).status == 404
