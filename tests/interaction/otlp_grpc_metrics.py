"""A collector of metrics that speaks gRPC, as OTLP's own service definition has it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)

from tests.interaction.otlp_metrics_receiver import MetricsReceiver

SERVICE = "opentelemetry.proto.collector.metrics.v1.MetricsService"
Context = grpc.aio.ServicerContext[ExportMetricsServiceRequest, ExportMetricsServiceResponse]


@asynccontextmanager
async def receiving_metrics_over_grpc() -> AsyncIterator[MetricsReceiver]:
    """Listen on a free port of the loopback for the length of the block."""
    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    receiver = MetricsReceiver(url=f"http://127.0.0.1:{port}")

    async def export(
        request: ExportMetricsServiceRequest,
        context: Context,
    ) -> ExportMetricsServiceResponse:
        await receiver.put(request)
        return ExportMetricsServiceResponse()

    handler = grpc.unary_unary_rpc_method_handler(
        export,
        request_deserializer=ExportMetricsServiceRequest.FromString,
        response_serializer=ExportMetricsServiceResponse.SerializeToString,
    )
    generic = grpc.method_handlers_generic_handler(SERVICE, {"Export": handler})
    server.add_generic_rpc_handlers((generic,))
    await server.start()
    try:
        yield receiver
    finally:
        await server.stop(grace=None)
