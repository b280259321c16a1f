"""`/api/tokens` on HTTP: what calls cost agents' contexts, and what answers spared them."""

from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.model import Json
from trunkline_router.telemetry.cells import Spent
from trunkline_router.telemetry.operations import Operations
from trunkline_router.telemetry.pending import Pending
from trunkline_router.telemetry.tokens import RULE

PATH: Final = "/api/tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensPage:
    """Shows what was counted since the router's start."""

    operations: Operations
    pending: Pending

    def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{PATH} takes GET only.", "GET", "HEAD")
        self.pending.tell()
        spent = sorted(self.operations.spent, key=lambda one: (-one[1].read, one[0]))
        return json_body({
            "rule": RULE,
            "rows": [_row(labels, cell) for labels, cell in spent if cell.calls],
            "saved": self.operations.saved,
            # Agents have read these all the same: they are not among what was saved.
            "from_cache": sum(cell.kept for _, cell in spent),
        })


def _row(labels: tuple[str, ...], spent: Spent) -> Json:
    agent, server, tool = labels
    return {
        "agent": agent,
        "server": server,
        "tool": tool,
        "calls": spent.calls,
        "tokens_in": spent.given,
        "tokens_out": spent.read,
    }
