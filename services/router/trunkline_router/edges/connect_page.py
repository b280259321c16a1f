"""`/api/connect` on HTTP: what each MCP client has to read to find this router."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.model import Json
from trunkline_shared.client.configuration import (
    KEY_VARIABLE,
    ClientConfiguration,
    configurations,
)
from trunkline_shared.client.rendering import rendered

PATH = "/api/connect"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectPage:
    """Shows the entries: files by their names alone, and a key by its variable.

    `url` is the public one of `/mcp`; `wants_keys` says whether callers show keys.
    """

    url: str
    wants_keys: Callable[[], bool]

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request."""
        if http.method not in {"GET", "HEAD"}:
            return method_not_allowed(f"{path} takes GET only.", "GET", "HEAD")
        variable = KEY_VARIABLE if self.wants_keys() else ""
        known = configurations(self.url, project=Path(), home=Path("~"), variable=variable)
        return json_body({"clients": [_shown(each) for each in known.values()]})


def _shown(configuration: ClientConfiguration) -> Json:
    return {
        "client": configuration.client,
        "file": configuration.file.as_posix(),
        "format": configuration.format,
        "text": rendered(configuration),
        "command": configuration.command or "",
        "note": configuration.note or "",
    }
