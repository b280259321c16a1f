"""`/v1/traces` on HTTP: spans of the mesh's own servers, OTLP/HTTP as protobuf."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.hdrs import AUTHORIZATION
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceResponse,
)

from trunkline_router.edges.json_pages import json_body, method_not_allowed, not_found
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.model import Limits
from trunkline_router.telemetry.received_spans import Arrival, Unreadable, arrival_of
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_router.wire.body import read_body
from trunkline_router.wire.refusal import Refused

log = logging.getLogger(__name__)

PATH: Final = "/v1/traces"
_MEDIA = "application/x-protobuf"


@dataclass(frozen=True, slots=True, kw_only=True)
class OtlpEndpoint:
    """Takes spans from whoever has the mesh's key; `mesh_headers` change when it is renewed.

    Other workers have the traces of other calls: a message is passed on to all of them.
    """

    traces: TraceBuffer
    mesh_headers: Mapping[str, str] = field(repr=False)
    limits: Limits
    pass_on: Callable[[bytes], object]

    async def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request."""
        key = self.mesh_headers.get(AUTHORIZATION)
        if key is None or not bearer_of(self.mesh_headers):
            return not_found(
                "No spans are taken: set TRUNKLINE_MESH_KEY to the same secret at the router and "
                "at its servers."
            )
        if http.method != "POST":
            return method_not_allowed("Spans are posted.", "POST")
        shown = http.headers.get(AUTHORIZATION, "").encode("utf-8", "surrogateescape")
        if not compare_digest(shown, key.encode()):
            told = "Spans are taken from the mesh's own servers: show its key as a bearer token."
            return _refused(told, HTTPStatus.UNAUTHORIZED)
        if http.content_type != _MEDIA:
            return _refused(f"Send {_MEDIA}.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        return await self._taken(http)

    async def _taken(self, http: web.BaseRequest) -> web.Response:
        try:
            message = await read_body(http, self.limits)
            arrival = self._take(message)
        except Unreadable as fault:
            return _refused(str(fault), HTTPStatus.BAD_REQUEST)
        except Refused as refusal:
            return _refused(refusal.message, refusal.status or HTTPStatus.BAD_REQUEST)
        self.pass_on(message)
        return _accepted(arrival)

    async def told(self, http: web.BaseRequest) -> None:
        """Keep what another worker was handed. Raises Refused and Unreadable."""
        self._take(await read_body(http, self.limits))

    def _take(self, message: bytes) -> Arrival:
        arrival = arrival_of(message)
        self.traces.receive(arrival.spans)
        return arrival


def _refused(message: str, status: int) -> web.Response:
    return json_body({"error": message}, status)


def _accepted(arrival: Arrival) -> web.Response:
    """Say that it worked, and of how many spans it did not. OTLP 1.x, "Partial Success"."""
    told = ExportTraceServiceResponse()
    if arrival.refused:
        reason = "their ids are malformed, or they are larger than 16 KiB"
        told.partial_success.CopyFrom(
            ExportTracePartialSuccess(rejected_spans=arrival.refused, error_message=reason)
        )
    return web.Response(body=told.SerializeToString(), headers={"Content-Type": _MEDIA})
