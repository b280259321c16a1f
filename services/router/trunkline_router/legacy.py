"""The `initialize` era, 2024-11-05 to 2025-11-25, in words that need no session."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mcp_types.jsonrpc import INVALID_PARAMS
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from trunkline_router.catalogue.instructions import Health
from trunkline_router.catalogue.lists import KEY_OF, introduction, list_result, server_info
from trunkline_router.catalogue.paging import ONE_PAGE, Pages
from trunkline_router.model import Era, Json, JsonRpcError, Packed, Request
from trunkline_router.ports import Catalog
from trunkline_router.wire.packing import answered_legacy
from trunkline_router.wire.refusal import unknown_method
from trunkline_router.wire.result import for_legacy
from trunkline_shared.errors import Unsupported

_RESOURCE_NOT_FOUND = -32002


@dataclass(frozen=True, slots=True, kw_only=True)
class Legacy:
    """The dialect before 2026-07-28. Headers are taken as they come: real clients vary."""

    catalog: Catalog
    health: Health
    pages: Pages = ONE_PAGE
    era: Era = Era.LEGACY

    def check(self, request: Request, headers: Mapping[str, str]) -> None:
        """Ask for nothing: what older revisions require, older clients leave out."""

    def own(self, request: Request) -> Json:
        if request.method in KEY_OF:
            return list_result(request, self.catalog.directory(request.view), self.pages)
        if request.method == "initialize":
            return self._initialized(request)
        if request.method in {"ping", "logging/setLevel"}:
            # A session remembers the level; without one it is taken, and changes nothing.
            return {}
        raise unknown_method(request.method)

    def _initialized(self, request: Request) -> Json:
        directory = self.catalog.directory(request.view)
        asked = request.params.get("protocolVersion")
        told = introduction(directory, request.scope, self.health, listens=True)
        capabilities = told["capabilities"]
        assert isinstance(capabilities, dict)
        return told | {
            "capabilities": capabilities | {"logging": {}},
            "protocolVersion": (
                asked if asked in HANDSHAKE_PROTOCOL_VERSIONS else LATEST_HANDSHAKE_VERSION
            ),
            "serverInfo": server_info(directory, request.scope),
        }

    def shaped(self, request: Request, result: Json) -> Json:
        if result.get("resultType", "complete") != "complete":
            raise Unsupported(
                f"{request.method} needs an answer from the user, which this client's connection "
                "cannot carry.",
                hint="Keep the session that initialize opens, or speak MCP 2026-07-28.",
            )
        return for_legacy(result)

    def written(self, request: Request, packed: Packed, note: Json) -> tuple[bytes, ...]:
        return answered_legacy(request.id, packed, note)

    def reworded(self, request: Request, error: JsonRpcError) -> JsonRpcError:
        if request.method == "resources/read" and error.code == INVALID_PARAMS:
            return replace(error, code=_RESOURCE_NOT_FOUND)
        return error
