"""What a router answers to one request, and what its refusals mean for whoever asked."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

import orjson
from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_shared import wire
from trunkline_shared.delegation import NOT_OFFERED
from trunkline_shared.errors import (
    AuthError,
    BlockedByPolicy,
    TrunklineError,
    Unsupported,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.untrusted import sanitize

_SHOWN = 200

Json = Mapping[str, object]


def result_of(subject: str, response: Response, number: int) -> Json:
    """Return the result of request `number`, which was about `subject`.

    Raises what the router's error means: BlockedByPolicy, AuthError, Unsupported,
    UpstreamUnavailable, or the error that it names.
    """
    message = _answer(response, number)
    error, result = message.get("error"), message.get("result")
    if is_object(error):
        raise _refusal(subject, error)
    if not is_object(result):
        raise UpstreamUnavailable(f"The answer to {subject} has neither a result nor an error.")
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
    """Return the error of a result that is one; whatever is not ours is UpstreamUnavailable."""
    return wire.from_result(result) or UpstreamUnavailable(f"{tool} failed: {_text(result)}")


def is_object(value: object) -> TypeGuard[Json]:
    """Say whether a value read from JSON is an object."""
    return isinstance(value, Mapping)


def _answer(response: Response, number: int) -> Json:
    for message in _messages(response):
        if "method" not in message and message.get("id") in {number, None}:
            return message
    raise UpstreamUnavailable(f"The router answered HTTP {response.status}, and not MCP.")


def _messages(response: Response) -> Iterator[Json]:
    bodies = [response.body]
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        bodies = _events(response.body)
    for body in bodies:
        try:
            message = orjson.loads(body)
        except orjson.JSONDecodeError:
            continue
        if is_object(message):
            yield message


def _events(stream: bytes) -> list[bytes]:
    blocks = stream.replace(b"\r\n", b"\n").split(b"\n\n")
    lines = ([line for line in block.split(b"\n") if line.startswith(b"data:")] for block in blocks)
    return [b"\n".join(line[5:].strip() for line in data) for data in lines if data]


def _refusal(subject: str, error: Json) -> TrunklineError:
    """Return what a JSON-RPC error means for the one who asks in somebody's name."""
    said = sanitize(str(error.get("message", "")))[:_SHOWN]
    data = error.get("data")
    reason = data.get("reason") if is_object(data) else None
    failed = wire.from_payload(data)
    if failed is not None:
        return failed
    if reason == "invalid_token":
        return AuthError(f"The router refused the token for {subject}: {said}")
    if reason == NOT_OFFERED:
        return BlockedByPolicy(said, details={"reason": NOT_OFFERED})
    if error.get("code") == INVALID_PARAMS:
        return Unsupported(f"The mesh has no {subject}: {said}", hint="Is its server running?")
    return UpstreamUnavailable(f"The router refused {subject}: {said}")


def _text(result: Json) -> str:
    content = result.get("content")
    first = content[0] if isinstance(content, Sequence) and content else None
    text = first.get("text") if is_object(first) else None
    return sanitize(text)[:_SHOWN] if isinstance(text, str) else "(no text)"
