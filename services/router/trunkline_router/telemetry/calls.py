"""Which spans are requests of MCP clients, and what of them agents come for."""

from typing import Final

from opentelemetry.trace import SpanKind

from trunkline_router.attributes import ERROR, METHOD, STATUS
from trunkline_router.model import Provenance
from trunkline_router.span import Attribute, Span

CALLS: Final = frozenset({"tools/call", "resources/read", "prompts/get", "completion/complete"})
"""What agents come for; the rest is how they find it."""
SPARED: Final = frozenset(one.value for one in Provenance if one is not Provenance.UPSTREAM)
"""Where answers come from that no server was asked for."""


def is_request(span: Span) -> bool:
    """Say whether a span is the request of an MCP client."""
    return span.kind is SpanKind.SERVER and METHOD in span.attributes


def failure_of(call: Span) -> Attribute | None:
    """Return what went wrong in a request: the type of its error, else the code of its refusal.

    Towards a client not every code is an error of ours; who looks for what failed wants to see all.
    """
    return call.attributes.get(ERROR) or call.attributes.get(STATUS)
