"""`/api/audit` on HTTP: the newest writes, and who made them."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.access.recent_audit import RecentAudit
from trunkline_router.edges.json_pages import json_text, method_not_allowed
from trunkline_router.edges.page_queries import number_of

PATH: Final = "/api/audit"
LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """Shows the records of writes to admins."""

    audited: RecentAudit

    def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request. Raises Refused for a limit that is none."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        limit = number_of(http, "limit", LIMIT, self.audited.most)
        return json_text(b'{"records":[' + b",".join(self.audited.newest(limit)) + b"]}")
