"""What a router answers to one request, and what its refusals mean for whoever asked."""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import TypeGuard

import orjson
from mcp_types.jsonrpc import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
)

from trunkline_shared import wire
from trunkline_shared.delegation import NOT_OFFERED
from trunkline_shared.errors import (
    AuthError,
    BlockedByPolicy,
    CredentialsMissing,
    PermissionDenied,
    TrunklineError,
    Unsupported,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.http.body import SUCCESSES
from trunkline_shared.mesh.event_stream import EventStream
from trunkline_shared.untrusted import sanitize

_SHOWN = 200
_BEYOND = frozenset({HEADER_MISMATCH, MISSING_REQUIRED_CLIENT_CAPABILITY})
"""What a tool wants of its clients that is not done here: mirrored headers, questions answered."""
_OF_CALLERS: Mapping[object, type[TrunklineError]] = {
    "missing_token": CredentialsMissing,
    "invalid_token": AuthError,
    "insufficient_scope": PermissionDenied,
    "repository_not_allowed": BlockedByPolicy,
}

_DONE = {"phase": "exchange"}

Json = Mapping[str, object]


def result_of(subject: str, response: Response, number: int) -> Json:
    """Return the result of request `number`, which was about `subject`.

    Raises what the router's error means: BlockedByPolicy, AuthError, CredentialsMissing,
    PermissionDenied, Unsupported, or the error that it names; UpstreamUnavailable for what is no
    answer, whose `details.phase` is `exchange` when the request may have been carried out.
    """
    message = _answer(response, number)
    error, result = message.get("error"), message.get("result")
    if is_object(error):
        raise _refusal(subject, error)
    if isinstance(error, str) and response.status == HTTPStatus.NOT_FOUND:
        raise Unsupported(f"The mesh has no {subject}: {sanitize(error)[:_SHOWN]}")
    if not is_object(result):
        said = f"The answer to {subject} has neither a result nor an error."
        raise UpstreamUnavailable(said, retryable=False, details=_DONE)
    return result


def structured(tool: str, result: Json) -> Json:
    """Return a tool's structured content. Raises what the tool says that went wrong."""
    if result.get("isError") is True:
        raise failure(tool, result)
    answer = result.get("structuredContent")
    if not is_object(answer):
        raise UpstreamUnavailable(f"{tool} answered without structured content.")
    return answer


def failure(tool: str, result: Json) -> TrunklineError:
    """Return the error of a result that is one; whatever is not ours is UpstreamUnavailable.

    Nobody knows what a stranger's failure has left behind: it is not for repeating.
    """
    said = f"{tool} failed: {_text(result)}"
    return wire.from_result(result) or UpstreamUnavailable(said, retryable=False)


def is_object(value: object) -> TypeGuard[Json]:
    """Say whether a value read from JSON is an object."""
    return isinstance(value, Mapping)


def _answer(response: Response, number: int) -> Json:
    for message in _messages(response):
        if "method" not in message and message.get("id") in {number, None}:
            return message
    refused = HTTPStatus.BAD_REQUEST <= response.status < HTTPStatus.INTERNAL_SERVER_ERROR
    raise UpstreamUnavailable(
        f"The router answered HTTP {response.status}, and not MCP.",
        retryable=response.status not in SUCCESSES,
        details={} if refused else _DONE,
    )


def _messages(response: Response) -> Iterator[Json]:
    bodies = [response.body]
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        stream = EventStream()
        bodies = [*stream.feed(response.body), *stream.end()]
    for body in bodies:
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            continue
        if is_object(message):
            yield message


def _refusal(subject: str, error: Json) -> TrunklineError:
    """Return what a JSON-RPC error means for the one who asks in somebody's name."""
    said = sanitize(str(error.get("message", "")))[:_SHOWN]
    data = error.get("data")
    reason = data.get("reason") if is_object(data) else None
    failed = wire.from_payload(data)
    if failed is not None:
        return failed
    if reason in _OF_CALLERS:
        message = f"The router refused whoever asks for {subject}: {said}"
        return _OF_CALLERS[reason](message, details={"reason": reason})
    if reason == NOT_OFFERED:
        return BlockedByPolicy(said, details={"reason": NOT_OFFERED})
    if error.get("code") == INVALID_PARAMS:
        return Unsupported(f"The mesh has no {subject}: {said}", hint="Is its server running?")
    if error.get("code") in _BEYOND:
        return Unsupported(f"{subject} wants of its client what this one does not do: {said}")
    return UpstreamUnavailable(f"The router refused {subject}: {said}")


def _text(result: Json) -> str:
    content = result.get("content")
    first = content[0] if isinstance(content, Sequence) and content else None
    text = first.get("text") if is_object(first) else None
    return sanitize(text)[:_SHOWN] if isinstance(text, str) else "(no text)"
