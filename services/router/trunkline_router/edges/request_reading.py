"""What an HTTP request asks for, as a Request: its view, its bearer, its headers."""

import itertools
from collections.abc import Mapping
from functools import lru_cache

from mcp.shared.inbound import (
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    find_duplicated_routing_header,
)
from mcp_types.jsonrpc import HEADER_MISMATCH

from trunkline_router.access.query_context import context_of_query, without_search
from trunkline_router.context import NOTHING
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.model import Channel, Era, Request, Unheard
from trunkline_router.subscriptions import LISTEN
from trunkline_router.view import WHOLE, View
from trunkline_router.wire.envelope import Message
from trunkline_router.wire.http_request import HttpRequest
from trunkline_router.wire.refusal import Refused, invalid_request

_REMEMBERED = 256
_LISTENING = Message(id="stream", method=LISTEN, params={}, body={})
_PARAM_PREFIX = MCP_PARAM_HEADER_PREFIX.lower()
_MCP = frozenset(map("".join, itertools.product("Mm", "Cc", "Pp", "-")))


def request_of(
    http: HttpRequest,
    message: Message,
    channel: Channel,
    view: View,
    era: Era,
    received: float,
) -> Request:
    """Return a request, of which nothing is believed yet."""
    assert message.id is not None
    headers = http.headers
    return Request(
        id=message.id,
        method=message.method,
        params=message.params,
        era=era,
        channel=channel,
        received=received,
        view=view,
        bearer=http.fact("bearer", bearer_of),
        version=headers.get(MCP_PROTOCOL_VERSION_HEADER),
        traceparent=headers.get("traceparent"),
        param_headers=http.fact("params", _param_headers),
        caller=http.caller,
    )


def listening(http: HttpRequest, view: View) -> Request:
    """Return what a legacy client's open stream asks for, which has no message of its own."""
    return request_of(http, _LISTENING, Unheard(), view, Era.LEGACY, 0.0)


def view_of(raw_query: str, scope: str | None) -> View:
    """Return what a path and a query string let a request see. Raises Refused."""
    if scope is None and not raw_query:
        return WHOLE
    rest, searches = without_search(raw_query)
    return View(scope=scope, context=context_of_query(rest) if rest else NOTHING, searches=searches)


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise Refused for headers that a modern request must not have; legacy ones vary."""
    ours = [
        name.lower()
        for name, _ in headers.items()  # noqa: PERF102 - by its keys a header would come once
        if name[:4] in _MCP
    ]
    if len(set(ours)) < len(ours):
        duplicate = find_duplicated_routing_header(list(headers.items()))
        if duplicate is not None:
            raise Refused(HEADER_MISMATCH, f"The {duplicate} header came twice.", status=400)
    if not _is_json(headers.get("Content-Type", "")):
        raise invalid_request("Content-Type must be application/json.", status=415)
    if not _takes_both(headers.get("Accept", "*/*")):
        raise invalid_request(
            "Accept must include application/json and text/event-stream.", status=406
        )


def accepts(headers: Mapping[str, str], kind: str) -> bool:
    """Say whether a client takes answers of a kind; without an Accept header it takes all."""
    return _takes(headers.get("Accept", "*/*").lower(), kind)


def _takes(accept: str, kind: str) -> bool:
    return kind in accept or "*/*" in accept or f"{kind.partition('/')[0]}/*" in accept


# A client says the same in these two headers each time.
@lru_cache(maxsize=_REMEMBERED)
def _takes_both(accept: str) -> bool:
    lowered = accept.lower()
    return _takes(lowered, "application/json") and _takes(lowered, "text/event-stream")


@lru_cache(maxsize=_REMEMBERED)
def _is_json(content_type: str) -> bool:
    return content_type.lower().startswith("application/json")


def _param_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    # Few requests have any.
    if _PARAM_PREFIX not in "\n".join(headers).lower():
        return ()
    mirrored = [
        header
        for header in headers.items()
        if header[0][:4] in _MCP and header[0].lower().startswith(_PARAM_PREFIX)
    ]
    return tuple(mirrored)
