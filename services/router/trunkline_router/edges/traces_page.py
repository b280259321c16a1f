"""`/api/traces` on HTTP: the newest traces, and each of them whole."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from aiohttp import web

from trunkline_router.edges.json_pages import json_body, method_not_allowed, not_found
from trunkline_router.edges.page_queries import number_of
from trunkline_router.edges.unhurried import unhurried
from trunkline_router.telemetry.pending import Pending
from trunkline_router.telemetry.trace_buffer import TraceBuffer
from trunkline_router.telemetry.trace_rows import Row, Wanted
from trunkline_router.telemetry.whole_trace import WholeTrace

PATH: Final = "/api/traces"
LIMIT, MOST = 100, 100_000
_PATIENCE_S = 1.0
_ID_DIGITS = 32
_AT_ONCE = 20
_FEW = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TracesPage:
    """Shows traces; `sends` says whether a server's own spans are to be expected."""

    traces: TraceBuffer
    pending: Pending
    sends: Callable[[str], bool]

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request at or below `PATH`. Raises Refused."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        # Whatever has been answered can be read at once.
        self.pending.tell()
        if path == PATH:
            return await self._newest(http)
        return await self._one(path.removeprefix(f"{PATH}/"))

    async def _newest(self, http: web.BaseRequest) -> web.Response:
        query = http.query
        names = ("server", "agent", "tool", "source", "error")
        narrowed = {name: query.get(name, "") for name in names}
        wanted = Wanted(**narrowed, lists=query.get("lists") != "no")
        limit = number_of(http, "limit", LIMIT, MOST)
        found = [row._asdict() async for row in self._found(wanted, limit)]
        return json_body({
            "kept": len(self.traces),
            "limit": self.traces.most(),
            "lost_spans": self.traces.lost_spans,
            "traces": found,
        })

    async def _found(self, wanted: Wanted, limit: int) -> AsyncIterator[Row]:
        """Return the line about each trace that is wanted, newest first."""
        async for trace in unhurried(self.traces.newest(), _AT_ONCE):
            row = trace.row(wanted)
            if row is None:
                continue
            yield row
            limit -= 1
            if not limit:
                return

    async def _one(self, asked: str) -> web.Response:
        beginning = asked.lower()
        if len(asked) > _ID_DIGITS or not set(beginning) <= set("0123456789abcdef"):
            return not_found(f"{asked[:100]!r} is no trace's id: that is 32 hexadecimal digits.")
        found = self.traces.find(beginning)
        if not found:
            return not_found(self._unknown(asked))
        if len(found) > 1:
            named = ", ".join(f"{one:032x}" for one in found[:_FEW])
            more = f" and {len(found) - _FEW} more" if len(found) > _FEW else ""
            told = f"{len(found)} traces begin with {asked!r}: {named}{more}. Give more digits."
            return json_body({"error": told}, HTTPStatus.CONFLICT)
        return await self._whole(found[0], asked)

    async def _whole(self, trace_id: int, asked: str) -> web.Response:
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                while (whole := self._now(trace_id)) and whole.lacks(self.sends):
                    await self.traces.more()
        whole = self._now(trace_id)
        if whole is None:
            return not_found(self._unknown(asked))
        return json_body(whole.to_json(lacks=whole.lacks(self.sends)))

    def _now(self, trace_id: int) -> WholeTrace | None:
        trace = self.traces.get(trace_id)
        return None if trace is None else WholeTrace.of(trace_id, trace)

    def _unknown(self, asked: str) -> str:
        newest = next(self.traces.rows(Wanted()), None)
        known = f" The newest is {newest.trace_id}." if newest else " None has come yet."
        return (
            f"No trace {asked} is kept: this router keeps the newest {self.traces.most()} "
            f"of its own.{known}"
        )
