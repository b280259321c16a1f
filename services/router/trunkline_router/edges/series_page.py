"""`/api/series` on HTTP: calls over the last hour."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.edges.page_queries import number_of
from trunkline_router.edges.unhurried import unhurried
from trunkline_router.telemetry.pending import Pending
from trunkline_router.telemetry.series import MINUTES, Asked, Series, Whose

PATH: Final = "/api/series"
_AT_ONCE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPage:
    """Shows what was counted."""

    series: Series
    pending: Pending

    async def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request. Raises Refused for a number of minutes that is none."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        self.pending.tell()
        whose = Whose(**{name: http.query.get(name, "") for name in Whose._fields})
        minutes = number_of(http, "minutes", MINUTES, MINUTES)
        points = self.series.points(Asked(whose=whose, minutes=minutes))
        told = [point async for point in unhurried(points, _AT_ONCE)]
        return json_body({**self.series.known(), "points": told})
