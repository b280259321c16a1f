"""How an answer goes out: whole, late, in pieces, or not at all."""

import asyncio
import socket
import struct

from aiohttp import web

from trunkline_shared.exchange import Response
from trunkline_shared.testing.stand_in.faults import (
    CutAfterApplying,
    FailAfterApplying,
    MalformedJson,
    SlowBody,
    SlowFirstByte,
    TruncatedBody,
)

GAVE_UP = "<html><head><title>502</title></head><body>This page is taking too long</body>"
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


def reset(request: web.Request) -> web.Response:
    """Cut the connection so that the client sees a reset; what is returned reaches nobody."""
    transport = request.transport
    if transport is not None:
        raw: socket.socket = transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
        transport.abort()
    return web.Response()


async def deliver(request: web.Request, answer: Response, fault: object) -> web.StreamResponse:
    """Send `answer` as `fault` would have it; one that is over by now changes nothing."""
    match fault:
        case CutAfterApplying():
            return reset(request)
        case FailAfterApplying(status=status):
            return web.Response(status=status, text=GAVE_UP, content_type="text/html")
        case SlowFirstByte(seconds=seconds):
            await asyncio.sleep(seconds)
        case SlowBody(seconds=seconds):
            return await _in_halves(request, answer, seconds)
        case TruncatedBody():
            return await _half(request, answer)
        case MalformedJson():
            return _whole(answer, answer.body[: len(answer.body) // 2])
        case _:
            pass
    return _whole(answer, answer.body)


def _whole(answer: Response, body: bytes) -> web.Response:
    return web.Response(status=answer.status, headers=answer.headers, body=body)


async def _begin(request: web.Request, answer: Response) -> web.StreamResponse:
    stream = web.StreamResponse(status=answer.status, headers=answer.headers)
    stream.content_length = len(answer.body)
    await stream.prepare(request)
    await stream.write(answer.body[: len(answer.body) // 2])
    return stream


async def _in_halves(request: web.Request, answer: Response, seconds: float) -> web.StreamResponse:
    stream = await _begin(request, answer)
    await asyncio.sleep(seconds)
    await stream.write(answer.body[len(answer.body) // 2 :])
    await stream.write_eof()
    return stream


async def _half(request: web.Request, answer: Response) -> web.StreamResponse:
    stream = await _begin(request, answer)
    if request.transport is not None:
        request.transport.close()
    return stream
