"""A request as it goes on the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

import orjson

from trunkline_shared.errors import InvalidInput
from trunkline_shared.exchange import Endpoint, Request, T_co

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """One request with its full URL, headers and body.

    `template` is the path with its `{names}`, for traces; `resend` counts earlier attempts;
    `direct` is for servers of the mesh, which no proxy leads to. Times in seconds, sizes in bytes.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)
    template: str = ""
    timeout_s: float = 30.0
    body_cap: int = 50 * MIB
    resend: int = 0
    direct: bool = False


def outgoing(
    endpoint: Endpoint[T_co], url: str, headers: Mapping[str, str], *, resend: int = 0
) -> Outgoing:
    """Put an endpoint's request on `url` with `headers`, its own headers last.

    Raises InvalidInput for text that is no valid Unicode.
    """
    request = endpoint.request
    body = _encoded(request)
    content = {"Content-Type": "application/json; charset=utf-8"} if body is not None else {}
    return Outgoing(
        method=request.method,
        url=f"{url}?{_query(request)}" if request.query else url,
        headers={**headers, **content, **request.headers},
        body=body,
        template=request.template or "(link)",
        timeout_s=endpoint.timeout_s,
        body_cap=endpoint.body_cap,
        resend=resend,
    )


def _query(request: Request) -> str:
    try:
        return urlencode(request.query)
    except UnicodeEncodeError:
        raise _half_a_character() from None


def _encoded(request: Request) -> bytes | None:
    if request.json is None:
        return None
    try:
        return orjson.dumps(request.json)
    except orjson.JSONEncodeError:
        raise _half_a_character() from None


def _half_a_character() -> InvalidInput:
    return InvalidInput(
        "The text holds half of a surrogate pair, which is no character and cannot be sent.",
        hint="Send whole characters.",
    )
