"""Protocol errors that the router gives itself, each worded in one place."""

import difflib
from collections.abc import Collection, Iterable

from mcp_types.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND

from trunkline_shared.delegation import NOT_OFFERED

_COMPARED = 128


class Refused(Exception):
    """A JSON-RPC error towards the client.

    `status` is the HTTP status where the code alone does not decide it.
    """

    def __init__(
        self, code: int, message: str, data: object = None, *, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.status = status


def invalid_request(message: str, *, status: int = 400) -> Refused:
    """Say what is wrong with a request before its method matters."""
    return Refused(INVALID_REQUEST, message, status=status)


def unknown_method(method: str) -> Refused:
    """Say that the protocol, or this era of it, has no such method."""
    return Refused(METHOD_NOT_FOUND, f"Method not found: {method[:_COMPARED]!r}.")


def unknown(kind: str, name: str, known: Iterable[str], missing: Collection[str]) -> Refused:
    """Say that nothing has that name; name the nearest, and the servers that are not to be seen."""
    nearest = nearest_to(name, known)
    message = f"Unknown {kind}: {name[:_COMPARED]!r}."
    if nearest:
        message += f" Did you mean {nearest!r}?"
    if missing:
        message += f" Not available at the moment: {', '.join(sorted(missing))}."
    return Refused(INVALID_PARAMS, message, {"uri": name} if kind == "resource" else None)


def not_offered(kind: str, name: str, reason: str) -> Refused:
    """Say that a context leaves something out, and why."""
    return Refused(
        INVALID_PARAMS,
        f"Unknown {kind}: {name[:_COMPARED]!r} is not offered in this context: {reason}.",
        {"reason": NOT_OFFERED},
    )


def held_back(kind: str, name: str, reason: str) -> Refused:
    """Say that an operator has to approve something first."""
    return Refused(INVALID_PARAMS, f"{kind.capitalize()} {name[:_COMPARED]!r}: {reason}.")


def nearest_to(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like `name`, if any is like it."""
    matches = difflib.get_close_matches(name[:_COMPARED], list(known), n=1)
    return matches[0] if matches else None
