"""Answers as they stand on the wire: one JSON-RPC object and its HTTP status."""

from dataclasses import field

import orjson
from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS
from mcp_types.jsonrpc import INTERNAL_ERROR

from trunkline_router.model import Era, Json, JsonRpcError, RequestId
from trunkline_router.value import value
from trunkline_router.wire.event import event_of
from trunkline_router.wire.refusal import Refused
from trunkline_shared import wire
from trunkline_shared.errors import TrunklineError


@value
class Answer:
    """What goes back for one request.

    `pieces` are a message that has been written out; `body` is empty then.
    """

    body: Json = field(default_factory=dict)
    pieces: tuple[bytes, ...] = field(default=(), repr=False)
    status: int = 200

    @property
    def error(self) -> object:
        """The error object; None for a result."""
        return self.body.get("error")

    def to_bytes(self) -> bytes:
        if self.pieces:
            return b"".join(self.pieces)
        try:
            return orjson.dumps(self.body)
        except TypeError:
            error = {"code": INTERNAL_ERROR, "message": "The answer is nested too deeply."}
            return orjson.dumps({"jsonrpc": "2.0", "id": self.body["id"], "error": error})

    def to_event(self) -> bytes:
        return event_of(*(self.pieces or (self.to_bytes(),)))


def success(request_id: RequestId, result: Json) -> Answer:
    """Answer with a result."""
    return Answer(body={"jsonrpc": "2.0", "id": request_id, "result": result})


def refused(request_id: RequestId | None, refusal: Refused, era: Era = Era.LEGACY) -> Answer:
    """Give a refusal its form; legacy clients read errors of a method only under HTTP 200."""
    status = refusal.status
    if status is None:
        status = ERROR_CODE_HTTP_STATUS.get(refusal.code, 200) if era is Era.MODERN else 200
    return _failure(request_id, refusal.code, refusal.message, refusal.data, status)


def relayed_error(request_id: RequestId, error: JsonRpcError, era: Era) -> Answer:
    """Pass a server's own error on; legacy clients read it only under HTTP 200."""
    status = error.status if era is Era.MODERN else 200
    return _failure(request_id, error.code, error.message, error.data, status)


def _failure(
    request_id: RequestId | None, code: int, message: str, data: object, status: int
) -> Answer:
    error: Json = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return Answer(body={"jsonrpc": "2.0", "id": request_id, "error": error}, status=status)


def server_failure(request_id: RequestId, error: TrunklineError) -> Answer:
    """Give a failure outside a tool its JSON-RPC form: the payload an agent knows, as `data`."""
    return _failure(request_id, INTERNAL_ERROR, error.message, wire.payload(error), 200)
