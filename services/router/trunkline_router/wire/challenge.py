"""What a caller hears who may not come in: the refusals and their `WWW-Authenticate`, RFC 6750."""

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus

from mcp_types.jsonrpc import INTERNAL_ERROR, INVALID_REQUEST

from trunkline_router.wire.refusal import Refused

HEADER = "WWW-Authenticate"
_INVALID_TOKEN = "invalid_token"  # noqa: S105 - an error code of RFC 6750
_INSUFFICIENT_SCOPE = "insufficient_scope"
# RFC 6750, section 3: what may stand in an error_description.
_UNPRINTABLE = re.compile(r"[^\x20-\x21\x23-\x5b\x5d-\x7e]")


def unidentified() -> Refused:
    """Return the refusal of a request that says nothing about who asks."""
    return Refused(
        INVALID_REQUEST,
        "This router wants to know who asks: send the header Authorization: Bearer with an API "
        "key or an access token.",
        {"reason": "missing_token"},
        status=HTTPStatus.UNAUTHORIZED,
    )


def invalid_token(message: str) -> Refused:
    """Return the refusal of a bearer; RFC 6750, section 3.1."""
    data = {"reason": _INVALID_TOKEN}
    return Refused(INVALID_REQUEST, message, data, status=HTTPStatus.UNAUTHORIZED)


def insufficient_scope(needed: Iterable[str], message: str) -> Refused:
    """Return the refusal of a caller whose token is sound and does not reach that far."""
    data = {"reason": _INSUFFICIENT_SCOPE, "scope": " ".join(needed)}
    return Refused(INVALID_REQUEST, message, data, status=HTTPStatus.FORBIDDEN)


def unverifiable(message: str) -> Refused:
    """Return the refusal of a token that nobody can judge at the moment; it may be a good one."""
    return Refused(
        INTERNAL_ERROR,
        message,
        {"reason": "issuer_unavailable"},
        status=HTTPStatus.SERVICE_UNAVAILABLE,
    )


def challenge_of(error: object) -> str | None:
    """Return the challenge that goes with a refusal's `error` object; None where there is none."""
    if not isinstance(error, dict) or not isinstance(error.get("data"), dict):
        return None
    told = error["data"]
    if told.get("reason") == "missing_token":
        return "Bearer"
    if told.get("reason") == _INVALID_TOKEN:
        described = _UNPRINTABLE.sub("'", str(error.get("message")))
        return f'Bearer error="{_INVALID_TOKEN}", error_description="{described}"'
    if told.get("reason") == _INSUFFICIENT_SCOPE:
        return f'Bearer error="{_INSUFFICIENT_SCOPE}", scope="{told.get("scope")}"'
    return None


def extended(challenge: str, parameters: Mapping[str, str]) -> str:
    """Return a challenge with further parameters; those that it has already stay as they are."""
    more = [f'{name}="{text}"' for name, text in parameters.items() if f"{name}=" not in challenge]
    separator = ", " if "=" in challenge else " "
    return separator.join([challenge, ", ".join(more)]) if more else challenge
