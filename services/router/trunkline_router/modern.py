"""The 2026-07-28 era: stateless, every request with its envelope, checked rung by rung."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    InboundLadderRejection,
    classify_inbound_request,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from trunkline_router.catalogue.instructions import Health, disabled
from trunkline_router.catalogue.lists import (
    KEY_OF,
    OWN_INFO,
    cache_hints,
    introduction,
    list_result,
    server_info,
)
from trunkline_router.catalogue.paging import ONE_PAGE, Pages
from trunkline_router.model import Era, Json, JsonRpcError, Packed, Request
from trunkline_router.ports import Catalog
from trunkline_router.wire.packing import answered_modern
from trunkline_router.wire.refusal import Refused, unknown_method
from trunkline_router.wire.result import for_modern
from trunkline_shared import meta
from trunkline_shared.clock import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class Modern:
    """The dialect of 2026-07-28."""

    catalog: Catalog
    health: Health
    clock: Clock
    pages: Pages = ONE_PAGE
    era: Era = Era.MODERN

    def check(self, request: Request, headers: Mapping[str, str]) -> None:
        if _is_plain_call(request, headers):
            return
        verdict = classify_inbound_request(
            {"method": request.method, "params": request.params}, headers=headers
        )
        if isinstance(verdict, InboundLadderRejection):
            raise Refused(verdict.code, verdict.message, verdict.data)

    def own(self, request: Request) -> Json:
        directory = self.catalog.directory(request.view)
        partial = bool(directory.missing)
        if request.method in KEY_OF:
            result = list_result(request, directory, self.pages)
        elif request.method == "server/discover":
            partial = bool(disabled(directory, self.health))
            result = introduction(directory, request.scope, self.health, listens=True)
            result["supportedVersions"] = list(MODERN_PROTOCOL_VERSIONS)
        else:
            raise unknown_method(request.method)
        result |= cache_hints(
            directory,
            self.clock.monotonic(),
            for_bearer=request.bearer is not None,
            partial=partial,
        )
        return for_modern(result, server_info(directory, request.scope))

    def shaped(self, request: Request, result: Json) -> Json:
        return for_modern(result, self._info(request))

    def written(self, request: Request, packed: Packed, note: Json) -> tuple[bytes, ...]:
        return answered_modern(request.id, packed, note, self._info(request))

    def _info(self, request: Request) -> Json:
        if request.scope is None:
            return OWN_INFO
        return server_info(self.catalog.directory(request.view), request.scope)

    def reworded(self, request: Request, error: JsonRpcError) -> JsonRpcError:  # noqa: ARG002 - the era's own codes come as they are
        return error


def _is_plain_call(request: Request, headers: Mapping[str, str]) -> bool:
    """Say whether a call of a tool is sound beyond doubt; all others climb the whole ladder."""
    name, given = request.target, request.meta
    return (
        request.method == "tools/call" == headers.get(MCP_METHOD_HEADER)
        and name is not None
        and name == headers.get(MCP_NAME_HEADER)
        # One that is encoded says something else than it reads.
        and not name.startswith("=?")
        and request.version in MODERN_PROTOCOL_VERSIONS
        and request.version == given.get(meta.PROTOCOL_VERSION)
        and meta.CLIENT_CAPABILITIES in given
    )
