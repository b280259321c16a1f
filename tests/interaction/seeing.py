"""What is asked of the pages about what happens, and what servers hand in there."""

import gzip
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from opentelemetry.proto.trace.v1.trace_pb2 import Span as Sent

from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh
from tests.interaction.wire import Reply, head, send
from tests.unit.trunkline_router.telemetry.spanning import message

TRACES = "/api/traces"
SPANS = "/v1/traces"
MESH_KEY = "a-key-between-the-servers-of-a-mesh"
PROTOBUF = {"Content-Type": "application/x-protobuf"}


async def page(
    mesh: Mesh, path: str, bearer: str | None = None, *, verb: str = "GET", **query: str
) -> Reply:
    """Ask for a page."""
    asked = f"{path}?{urlencode(query)}" if query else path
    return await send(mesh.port, head(b"", bearing(bearer), port=mesh.port, path=asked, verb=verb))


async def rows(mesh: Mesh, **query: str) -> list[Any]:
    """Return the lines about traces."""
    reply = await page(mesh, TRACES, **query)
    assert reply.status == 200, reply.body
    return list(reply.json["traces"])


async def trace(mesh: Mesh, trace_id: str) -> Any:
    """Return a whole trace."""
    reply = await page(mesh, f"{TRACES}/{trace_id}")
    assert reply.status == 200, reply.body
    return reply.json


async def hand_in(mesh: Mesh, *spans: Sent) -> Reply:
    """Send spans as the mesh's own servers do."""
    body = gzip.compress(message(*spans))
    return await post_spans(mesh, body, {"Content-Encoding": "gzip"})


async def post_spans(
    mesh: Mesh, body: bytes, headers: Mapping[str, str] | None = None, *, key: str = MESH_KEY
) -> Reply:
    """Send any body to where spans are handed in."""
    told = bearing(key) | PROTOBUF | dict(headers or {})
    return await send(mesh.port, head(body, told, port=mesh.port, path=SPANS) + body)
