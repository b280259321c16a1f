"""From a span's attributes to label values: closed sets, or few of them, and nothing sent."""

from typing import Final

import mcp_types.jsonrpc as codes
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from trunkline_router.model import Provenance
from trunkline_router.telemetry.label_sets import OTHER, Closed, Few
from trunkline_shared.errors import BY_CODE

CANCELLED: Final = "CancelledError"
AGENTS: Final = 200
_NAMES = 2000
_CALL = "tools/call"
_STATUSES = frozenset(
    str(value)
    for name, value in vars(codes).items()
    if name.isupper() and isinstance(value, int)
) | {"-32002"}
_HTTP = frozenset({"400", "401", "403", "404", "405", "429", "500", "502", "503", "504"})

status_code: Final = Closed(_STATUSES)
error_type: Final = Closed({
    *(code.lower() for code in BY_CODE),
    *_STATUSES,
    *_HTTP,
    "tool_error",
    "TimeoutError",
    CANCELLED,
})
version: Final = Closed({*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS})
source: Final = Closed(one.value for one in Provenance)


class Names:
    """The values that are no closed set, of which there are few: one of it for each router."""

    def __init__(self) -> None:
        self.agent = Few(AGENTS)
        self.server = Few(_NAMES)
        self._name = Few(_NAMES)

    def target(self, name: object, server: object) -> str:
        """Return what was called; only what a server was really asked for is known by name."""
        if name is None:
            return ""
        return OTHER if server is None else self._name(name)

    def request(self, method: str, tool: str, prompt: str) -> tuple[str, str, str, str]:
        """Return the labels that say what was asked."""
        return method, "execute_tool" if method == _CALL else "", tool, prompt


def refusal_of(error: str, status: str) -> str:
    """Return the code by which an agent knows why it was given no server's answer."""
    if status:
        return status
    if error in {"", CANCELLED}:
        return ""
    return error.upper() if error.upper() in BY_CODE else "INTERNAL_ERROR"
