"""A collector that speaks gRPC, as OTLP's own service definition has it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

from tests.interaction.otlp_receiver import OtlpReceiver

SERVICE = "opentelemetry.proto.collector.trace.v1.TraceService"
Context = grpc.aio.ServicerContext[ExportTraceServiceRequest, ExportTraceServiceResponse]


@asynccontextmanager
async def receiving_grpc() -> AsyncIterator[OtlpReceiver]:
    """Listen on a free port of the loopback for the length of the block."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    receiver = OtlpReceiver(url=f"http://127.0.0.1:{port}")

    async def export(
        request: ExportTraceServiceRequest, context: Context
    ) -> ExportTraceServiceResponse:
        given = {name: str(value) for name, value in context.invocation_metadata() or ()}
        await receiver.put(request, given)
        return ExportTraceServiceResponse()

    handler = grpc.unary_unary_rpc_method_handler(
        export,
        request_deserializer=ExportTraceServiceRequest.FromString,
        response_serializer=ExportTraceServiceResponse.SerializeToString,
    )
    generic = grpc.method_handlers_generic_handler(SERVICE, {"Export": handler})
    server.add_generic_rpc_handlers((generic,))
    await server.start()
    try:
        yield receiver
    finally:
        await server.stop(grace=None)
