"""Headers that mirror a tool's arguments: what they say must be what the body says. No I/O."""

from mcp.shared.inbound import validate_mcp_param_headers
from mcp_types.jsonrpc import HEADER_MISMATCH

from trunkline_router.model import Era, Request, ToolSpec
from trunkline_router.wire.refusal import Refused


def check_mirrored(request: Request, tool: ToolSpec) -> None:
    """Raise Refused where a mirroring header and its argument differ.

    Spec 2026-07-28, "Streamable HTTP", custom headers. Older revisions mirror nothing, and a
    server that speaks one would not look.
    """
    if not tool.mirrors or request.era is not Era.MODERN:
        return
    headers = {name.lower(): value for name, value in request.param_headers}
    if len(headers) < len(request.param_headers):
        raise Refused(HEADER_MISMATCH, "A header that mirrors an argument came twice.")
    given = request.params.get("arguments")
    fault = validate_mcp_param_headers(
        tool.definition.get("inputSchema"),
        given if isinstance(given, dict) else {},
        headers,
    )
    if fault is not None:
        raise Refused(fault.code, fault.message)
