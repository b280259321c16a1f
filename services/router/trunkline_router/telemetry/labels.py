"""From a span's attributes to label values: closed sets, or few of them, and nothing sent."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import mcp_types.jsonrpc as codes
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from trunkline_router.attributes import OTHER
from trunkline_router.model import Provenance
from trunkline_router.span import CANCELLED, Attribute
from trunkline_router.telemetry.label_sets import Closed, Few
from trunkline_shared.errors import BY_CODE

AGENTS: Final = 200
_NAMES = 2000
CALL: Final = "tools/call"
_STATUSES = frozenset(
    str(value) for name, value in vars(codes).items() if name.isupper() and isinstance(value, int)
) | {"-32002"}
_HTTP = frozenset({"400", "401", "403", "404", "405", "421", "429", "500", "502", "503", "504"})

status_code: Final = Closed(_STATUSES)
error_type: Final = Closed({
    *(code.lower() for code in BY_CODE),
    *_STATUSES,
    *_HTTP,
    "tool_error",
    "TimeoutError",
})
version: Final = Closed({*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS})
source: Final = Closed(one.value for one in Provenance)


class Asked(NamedTuple):
    """What was asked of which server, and how it failed; an empty label does not apply."""

    method: str
    tool: str
    prompt: str
    server: str
    error: str
    status: str

    @property
    def request(self) -> tuple[str, ...]:
        """The labels that the conventions want first."""
        operation = "execute_tool" if self.method == CALL else ""
        return self.method, operation, self.tool, self.prompt, self.error, self.status


class Names:
    """The values that are no closed set, of which there are few: one of it for each router."""

    def __init__(self) -> None:
        self.agent = Few(AGENTS)
        self.server = Few(_NAMES)
        self.place = Few(_NAMES)
        self._name = Few(_NAMES)

    def asked(self, given: Sequence[Attribute | None]) -> Asked:
        """Return the labels of six attributes, in this order."""
        method, tool, prompt, server, error, status = given
        return Asked(
            method=str(method),
            tool=self._target(tool, server),
            prompt=self._target(prompt, server),
            server=self.server(server),
            error=error_type(error),
            status=status_code(status),
        )

    def _target(self, name: Attribute | None, server: Attribute | None) -> str:
        """Return what was called; only what a server was really asked for is known by name."""
        if name is None:
            return ""
        return OTHER if server is None else self._name(name)


def refusal_of(error: str, status: str) -> str:
    """Return the code by which an agent knows why it was given no server's answer."""
    if status:
        return status
    if error in {"", CANCELLED}:
        return ""
    return error.upper() if error.upper() in BY_CODE else "INTERNAL_ERROR"
