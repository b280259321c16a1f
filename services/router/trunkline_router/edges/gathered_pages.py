"""Operators' pages over all workers: each asks the others, and adds that to its own."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from aiohttp import web

from trunkline_router.access.recent_audit import MOST as MOST_RECORDS
from trunkline_router.edges.audit_page import LIMIT as RECORDS
from trunkline_router.edges.audit_page import PATH as AUDIT
from trunkline_router.edges.cache_page import PATH as CACHE
from trunkline_router.edges.json_pages import json_body
from trunkline_router.edges.metrics import PATH as METRICS
from trunkline_router.edges.page_queries import number_of
from trunkline_router.edges.series_page import PATH as SERIES
from trunkline_router.edges.siblings import Siblings
from trunkline_router.edges.status import PATH as STATUS
from trunkline_router.edges.tokens_page import PATH as TOKENS
from trunkline_router.edges.traces_page import LIMIT as NEWEST
from trunkline_router.edges.traces_page import MOST as MOST_TRACES
from trunkline_router.edges.traces_page import PATH as TRACES
from trunkline_router.gathering import pages
from trunkline_router.gathering.ledger import Ledger
from trunkline_router.gathering.readings import together
from trunkline_router.gathering.whole_trace import whole
from trunkline_router.gathering.written_readings import read, written
from trunkline_router.measures.instrument import Reading

READINGS: Final = "/readings"

Told = dict[str, Any]

_SHOWN: Mapping[str, Callable[[Sequence[Told]], Told]] = {
    STATUS: pages.status,
    CACHE: pages.cache,
    SERIES: pages.series,
    TOKENS: pages.tokens,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GatheredPages:
    """Puts together what workers tell; `sends` says whether a server's own spans are expected."""

    siblings: Siblings
    ledger: Ledger
    readings: Callable[[], Sequence[Reading]]
    sends: Callable[[str], bool]
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def covers(self, http: web.BaseRequest, path: str) -> bool:
        """Say whether a page is one of several workers together."""
        known = {METRICS, AUDIT, *_SHOWN}
        return http.method == "GET" and (path in known or path.split("/")[:3] == TRACES.split("/"))

    async def gathered(
        self, http: web.BaseRequest, path: str, own: web.StreamResponse
    ) -> web.StreamResponse:
        """Return a page of all workers; one that this worker cannot show alone stands as it is."""
        assert isinstance(own, web.Response)
        if path.startswith(f"{TRACES}/"):
            return await self._trace(http, own)
        if own.status != web.HTTPOk.status_code:
            return own
        others = await self.siblings.ask(http.path_qs)
        # In a thread, as a page that is long takes longer than a call may have to wait.
        return await asyncio.to_thread(_combined, http, path, own, others)

    async def all_readings(self) -> Sequence[Reading]:
        """Return the readings of all workers, with what those have counted that are gone."""
        # Not in turn: two that ask each other at the same moment would wait for each other.
        asked = await self.siblings.ask(READINGS)
        async with self._turn:
            return await asyncio.to_thread(self._added, self.readings(), asked)

    async def own_readings(self) -> bytes:
        """Return this worker's readings as another is told of them."""
        async with self._turn:
            return await asyncio.to_thread(lambda: written(self.ledger.shown(self.readings())))

    def _added(self, own: Sequence[Reading], asked: Mapping[int, bytes]) -> Sequence[Reading]:
        known = {one.instrument.name: one.instrument for one in own}
        return together([
            self.ledger.shown(own),
            *(
                read(asked[number], known)
                if number in asked
                else self.ledger.of_silent(number, own)
                for number in self.siblings.others
            ),
        ])

    async def _trace(self, http: web.BaseRequest, own: web.Response) -> web.Response:
        others = await self.siblings.ask(http.path_qs)
        parts = [orjson.loads(each) for each in others.values()]
        if own.status == web.HTTPOk.status_code:
            parts.insert(0, _told(own))
        ids = sorted({part["trace_id"] for part in parts})
        if len(ids) == 1 and own.status != web.HTTPConflict.status_code:
            return json_body(whole(parts, self.sends))
        if len(ids) > 1:
            told = f"{len(ids)} traces begin so: {', '.join(ids)}. Give more digits."
            return json_body({"error": told}, web.HTTPConflict.status_code)
        return own


def _combined(
    http: web.BaseRequest, path: str, own: web.Response, others: Mapping[int, bytes]
) -> web.Response:
    told = [_told(own), *map(orjson.loads, others.values())]
    if path == TRACES:
        shown = pages.traces(told, number_of(http, "limit", NEWEST, MOST_TRACES))
    elif path == AUDIT:
        shown = pages.audit(told, number_of(http, "limit", RECORDS, MOST_RECORDS))
    else:
        shown = _SHOWN[path](told)
    return json_body(shown)


def _told(response: web.Response) -> Told:
    assert isinstance(response.body, bytes)
    told: Told = orjson.loads(response.body)
    return told
