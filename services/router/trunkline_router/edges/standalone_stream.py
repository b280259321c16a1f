"""The stream that a session keeps open between its calls; resources and lists are told on it."""

import asyncio
import itertools

import orjson
from aiohttp import web

from trunkline_router.edges.delivery import PRIMED_SINCE, followed, priming
from trunkline_router.gates import under
from trunkline_router.model import Json, Request
from trunkline_router.sessions.answering import InSession
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.sessions import Sessions
from trunkline_router.subscriptions import UPDATED
from trunkline_router.wire.channel import EventStream

_numbers = itertools.count(1)


async def standalone_stream(
    stream: EventStream, sessions: Sessions, found: InSession, asked: Request, *, again: bool
) -> web.StreamResponse:
    """Tell a session what happens, until its client leaves or it is ended.

    `again` says that the client had a stream before: what happened in between is not known, so
    that each list counts as changed, and each resource as updated. Raises Refused.
    """
    request = under(asked, found.caller)
    name = f"{sessions.replica.id}~{next(_numbers)}"
    log = EventLog(name=name, nonce=found.session.nonce)
    if again:
        _tell_all(log, sessions, found, request)
    feed = sessions.feed(found, request, log.tell)
    if found.client.version >= PRIMED_SINCE:
        await stream.write(priming(name))
    async with asyncio.TaskGroup() as tasks:
        feeding = tasks.create_task(_fed(sessions, feed, log))
        response = await followed(stream, log, 0, once=True)
        feeding.cancel()
    return response


async def _fed(sessions: Sessions, feed: Feed, log: EventLog) -> None:
    try:
        await sessions.feeds.run(feed)
    finally:
        log.end()


def _tell_all(log: EventLog, sessions: Sessions, found: InSession, request: Request) -> None:
    directory = sessions.core.catalog.directory(request.view)
    lists = {
        "tools": True,
        "prompts": bool(directory.prompts),
        "resources": bool(directory.resources or directory.templates),
    }
    for kind in (kind for kind, offered in lists.items() if offered):
        log.tell(_notification(f"notifications/{kind}/list_changed", {}))
    for uri in found.known.uris:
        log.tell(_notification(UPDATED, {"uri": uri}))


def _notification(method: str, params: Json) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})
