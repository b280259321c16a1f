"""`subscriptions/listen` at a server of an older revision: subscribed there, told as asked here."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from trunkline_router.adapters.links.connection import SessionLost
from trunkline_router.adapters.links.server_session import BROKEN, ServerSession
from trunkline_router.link import NeverSent, Post, Reply
from trunkline_router.model import Json, JsonRpcError
from trunkline_router.wire.event import as_event
from trunkline_shared import meta
from trunkline_shared.errors import NetworkError, TrunklineError

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_UPDATED = "notifications/resources/updated"
_LISTS: Mapping[str, tuple[str, str]] = {
    "toolsListChanged": ("notifications/tools/list_changed", "tools"),
    "promptsListChanged": ("notifications/prompts/list_changed", "prompts"),
    "resourcesListChanged": ("notifications/resources/list_changed", "resources"),
}
_MOST_FRAMES = 1024


@dataclass(slots=True, kw_only=True)
class ServerSubscriptions:
    """Which resources a session is subscribed to; several asks may want the same one."""

    _wanted: dict[tuple[int, str], int] = field(default_factory=dict)

    async def listen(self, session: ServerSession, post: Post) -> Reply:
        """Tell what is asked for until the caller leaves, or the session is lost.

        Raises NetworkError when the session breaks off; returns an error where there is nothing
        to hear.
        """
        lists, uris = _honoured(session, post)
        if not lists and not uris:
            message = f"Server {post.server!r} tells nothing of what was asked for."
            return Reply(error=JsonRpcError(code=-32601, message=message, status=404))
        told: asyncio.Queue[bytes | None] = asyncio.Queue()
        async with self._hearing(session, post, (lists, uris), told):
            filter_: Json = dict.fromkeys(lists, True)
            if uris:
                filter_["resourceSubscriptions"] = uris
            await post.channel.send(_frame(post, _ACKNOWLEDGED, {"notifications": filter_}))
            while (frame := await told.get()) is not None:
                await post.channel.send(frame)
        raise NetworkError(f"The session at server {post.server!r} broke off.")

    @asynccontextmanager
    async def _hearing(
        self,
        session: ServerSession,
        post: Post,
        wanted: tuple[list[str], list[str]],
        told: "asyncio.Queue[bytes | None]",
    ) -> AsyncIterator[None]:
        methods = {_LISTS[key][0] for key in wanted[0]}
        uris = wanted[1]

        def heard(method: str, params: Json) -> None:
            if method == BROKEN:
                told.put_nowait(None)
            elif told.qsize() < _MOST_FRAMES and (
                method in methods or (method == _UPDATED and params.get("uri") in uris)
            ):
                told.put_nowait(_frame(post, method, params))

        session.peer.listeners.append(heard)
        for method in session.peer.unheard & methods:
            heard(method, {})
        session.peer.unheard.clear()
        session.held += 1
        try:
            async with self._subscribed(session, wanted[1]):
                yield
        finally:
            session.held -= 1
            session.peer.listeners.remove(heard)

    @asynccontextmanager
    async def _subscribed(self, session: ServerSession, uris: list[str]) -> AsyncIterator[None]:
        joined: list[str] = []
        try:
            for uri in uris:
                joined.append(uri)
                key = (id(session), uri)
                self._wanted[key] = self._wanted.get(key, 0) + 1
                if self._wanted[key] == 1:
                    await session.request("resources/subscribe", {"uri": uri})
            yield
        finally:
            for uri in joined:
                self._leave(session, uri)

    def _leave(self, session: ServerSession, uri: str) -> None:
        key = (id(session), uri)
        self._wanted[key] -= 1
        if not self._wanted[key]:
            del self._wanted[key]
            if session.lost is None:
                session.background.spawn(_unsubscribe(session, uri))


async def _unsubscribe(session: ServerSession, uri: str) -> None:
    with suppress(NeverSent, SessionLost, TrunklineError):
        await session.request("resources/unsubscribe", {"uri": uri})


def _honoured(session: ServerSession, post: Post) -> tuple[list[str], list[str]]:
    """Return the list changes and the URIs that this server can tell about."""
    asked = post.params.get("notifications")
    given = asked if isinstance(asked, dict) else {}
    offered = session.initialized.get("capabilities")
    capabilities = offered if isinstance(offered, dict) and session.connection.hears else {}
    lists = [
        key
        for key, (_, name) in _LISTS.items()
        if given.get(key) is True and _flag(capabilities.get(name), "listChanged")
    ]
    uris = given.get("resourceSubscriptions")
    subscribes = _flag(capabilities.get("resources"), "subscribe")
    return lists, [uri for uri in uris if isinstance(uri, str)] if uris and subscribes else []


def _flag(capability: object, name: str) -> bool:
    return isinstance(capability, dict) and capability.get(name) is True


def _frame(post: Post, method: str, params: Json) -> bytes:
    tagged = params | {"_meta": {meta.SUBSCRIPTION_ID: post.number}}
    return as_event({"jsonrpc": "2.0", "method": method, "params": tagged})
