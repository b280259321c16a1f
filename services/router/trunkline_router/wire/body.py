"""Reading a request's body: bounded in size and in time."""

import asyncio
from dataclasses import replace

from aiohttp import web

from trunkline_router.model import Limits
from trunkline_router.wire.refusal import Refused, invalid_request

_SMALL_BYTES = 64 * 1024


async def read_small_body(http: web.BaseRequest, limits: Limits) -> bytes:
    """Return the body of a request beside MCP, of 64 KiB at most; raises as `read_body` does."""
    return await read_body(http, replace(limits, body_bytes=_SMALL_BYTES))


async def read_body(http: web.BaseRequest, limits: Limits) -> bytes:
    """Return the body. Raises Refused: 413 when it is too large, 408 when it does not come."""
    length = http.headers.get("Content-Length")
    if length is not None and int(length) > limits.body_bytes:
        raise too_large(limits)
    content = http.content
    if content.is_eof():
        # All of it came with the headers: no timer needed, which is the usual case.
        return _bounded(content.read_nowait(), limits) if not content.at_eof() else b""
    try:
        async with asyncio.timeout(limits.body_s):
            return await _read(http, limits)
    except TimeoutError:
        raise too_late(limits) from None
    except web.RequestPayloadError:
        raise invalid_request("The body broke off, or its encoding is damaged.") from None


async def _read(http: web.BaseRequest, limits: Limits) -> bytes:
    whole = bytearray()
    while chunk := await http.content.readany():
        whole += chunk
        _bounded(whole, limits)
    return bytes(whole)


def _bounded(data: bytes | bytearray, limits: Limits) -> bytes:
    if len(data) > limits.body_bytes:
        raise too_large(limits)
    return bytes(data)


def too_late(limits: Limits) -> Refused:
    """Return the refusal of a body that does not come."""
    return invalid_request(f"The body did not arrive within {limits.body_s:g} s.", status=408)


def too_large(limits: Limits) -> Refused:
    """Return the refusal of a body that nobody reads to its end."""
    return invalid_request(f"The body is larger than {limits.body_bytes} bytes.", status=413)
