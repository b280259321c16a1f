"""Probes and the state of the mesh: `/healthz`, `/readyz`, `/status`, and where to begin."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from trunkline_router.adapters.links.named import Named
from trunkline_router.adapters.links.replicas import Replicas
from trunkline_router.cache.report import CacheReport
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.edges.json_pages import json_body
from trunkline_router.fleet import Fleet, Member
from trunkline_router.model import Json
from trunkline_router.ports import Catalog
from trunkline_router.protection.protection import Protection
from trunkline_router.view import View
from trunkline_shared.departure import Departure

PATH: Final = "/status"


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """What operators and probes may ask; `complete` says that all workers have been ready."""

    catalog: Catalog
    fleet: Fleet
    departure: Departure
    protection: Protection
    cache: CacheReport
    complete: Callable[[], bool] = lambda: True

    def healthz(self) -> web.Response:
        return json_body({"status": "ok"})

    def readyz(self) -> web.Response:
        if self.departure.begun:
            return json_body({"status": "ending"}, status=503)
        if self.catalog.settled and self.complete():
            return json_body({"status": "ready"})
        waiting = sorted(self.catalog.directory().missing)
        return json_body({"status": "starting", "waiting_for": waiting}, status=503)

    def status(self) -> web.Response:
        return json_body(self.to_json())

    def to_json(self) -> Json:
        """Return how the mesh stands."""
        tools = {
            server: len(self.catalog.directory(View(scope=server)).tools) for server in self.fleet
        }
        return {
            "version": OWN_INFO["version"],
            "servers": {
                server: self._server(member, tools[server]) for server, member in self.fleet.items()
            },
            "cache": self.cache.to_json(),
            "quota": self.cache.quota(self.protection.quota()),
        }

    def _server(self, member: Member, tools: int) -> Json:
        """Return one server's entry; available is one that answers and that calls reach."""
        known, guard = member.vitals.to_json(tools), self.protection.to_json(member.id)
        guard["available"] = self.protection.is_available(member.id)
        if isinstance(member.link, Named | Replicas) and (replicas := member.link.to_json()):
            guard["replicas"] = replicas
        if pins := self.catalog.pins(member.id):
            guard["pins"] = pins
        return known | guard

    def front(self) -> web.Response:
        return json_body({
            "name": "trunkline",
            "version": OWN_INFO["version"],
            "mcp": "/mcp",
            "servers": {server: f"/servers/{server}/mcp" for server in self.fleet},
            "status": "/status",
        })
