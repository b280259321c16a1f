"""`/metrics` for Prometheus: read off the router's own counters when somebody asks."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

from aiohttp import web
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from trunkline_router.edges.exposition import families
from trunkline_router.edges.json_pages import method_not_allowed
from trunkline_router.measures.instrument import Reading

PATH: Final = "/metrics"


class MetricsPage:
    """Shows all instruments in the format that is asked for: Prometheus 0.0.4, or OpenMetrics.

    They are written out in a thread, one page at a time: with thousands of label sets that takes
    longer than a call may have to wait.
    """

    def __init__(
        self, readings: Callable[[], Sequence[Reading] | Awaitable[Sequence[Reading]]]
    ) -> None:
        self._readings = readings
        self._turn = asyncio.Lock()

    async def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        encode, content_type = _format(http.headers.get("Accept", ""))
        async with self._turn:
            found = self._readings()
            readings = await found if isinstance(found, Awaitable) else found
            body = await asyncio.to_thread(encode, _Read(readings))
        return web.Response(body=body, headers={"Content-Type": content_type})


class _Read(Collector):
    """What was read at one moment."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._readings = readings

    def collect(self) -> Iterator[Metric]:
        return families(self._readings)


def _format(accept: str) -> tuple[Callable[[Collector], bytes], str]:
    """Return what writes the format that is asked for, and its name."""
    try:
        return choose_encoder(accept)
    except (TypeError, ValueError):
        # A version that is no number: the client library compares it all the same.
        return choose_encoder("")
