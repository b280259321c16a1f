"""The stream that a session keeps open between its calls; resources and lists are told on it."""

import itertools

from aiohttp import web

from trunkline_router.edges.delivery import PRIMED_SINCE, priming
from trunkline_router.edges.standing_stream import stood
from trunkline_router.gates import under
from trunkline_router.model import Request
from trunkline_router.sessions.answering import InSession
from trunkline_router.sessions.event_log import EventLog
from trunkline_router.sessions.feed import Feed
from trunkline_router.sessions.list_changes import notification
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
    await stream.write(priming(name) if found.client.version >= PRIMED_SINCE else b"")
    feed = Feed(session=found.session, caller=found.caller, asked=request, log=log)
    return await stood(stream, sessions.feeds, feed)


def _tell_all(log: EventLog, sessions: Sessions, found: InSession, request: Request) -> None:
    directory = sessions.core.catalog.directory(request.view)
    lists = {
        "tools": True,
        "prompts": bool(directory.prompts),
        "resources": bool(directory.resources or directory.templates),
    }
    for kind in (kind for kind, offered in lists.items() if offered):
        log.tell(notification(f"notifications/{kind}/list_changed", {}))
    for uri in found.known.uris:
        log.tell(notification(UPDATED, {"uri": uri}))
