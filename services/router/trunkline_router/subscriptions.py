"""`subscriptions/listen`: one stream to a client, fed by the catalogue and by the servers."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Never

import orjson
from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.directory import Directory
from trunkline_router.model import Json, Request
from trunkline_router.narrowing import narrow
from trunkline_router.ports import Catalog, Upstream
from trunkline_router.refusal import Refused
from trunkline_router.view import View
from trunkline_shared import meta
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamError

log = logging.getLogger(__name__)

LISTEN = "subscriptions/listen"
_SUBSCRIPTION_ID = f"{meta.PROTOCOL_VERSION.partition('/')[0]}/subscriptionId"
_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_UPDATED = "notifications/resources/updated"
_KEEP_ALIVE_S = 15.0
_AGAIN_S = 2.0
_OPENING_S = 1.0
_MOST_URIS = 256

_LISTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "toolsListChanged": ("notifications/tools/list_changed", ("tools",)),
    "promptsListChanged": ("notifications/prompts/list_changed", ("prompts",)),
    "resourcesListChanged": (
        "notifications/resources/list_changed",
        ("resources", "resourceTemplates"),
    ),
}
"""What a client may ask to be told: the notification, and the lists whose change it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The client's side: every frame carries the id of its own request."""

    request: Request
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def tell(self, method: str, params: Json) -> None:
        tagged = params | {"_meta": {_SUBSCRIPTION_ID: self.request.id}}
        frame = orjson.dumps({"jsonrpc": "2.0", "method": method, "params": tagged})
        await self.request.channel.send(b"event: message\ndata: " + frame + b"\n\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarding:
    """The server's side of one stream: resource updates go on, under the client's id.

    `acknowledged` is set once the server listens, or has been found unable to.
    """

    stream: Stream
    acknowledged: asyncio.Event = field(default_factory=asyncio.Event)

    async def send(self, frame: bytes) -> None:
        data = frame.partition(b"data: ")[2]
        message = orjson.loads(data) if data else {}
        if message.get("method") == _ACKNOWLEDGED:
            self.acknowledged.set()
        if message.get("method") == _UPDATED and isinstance(message.get("params"), dict):
            await self.stream.opened.wait()
            await self.stream.tell(_UPDATED, message["params"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriptions:
    """Serves listen streams until their clients leave."""

    catalog: Catalog
    upstream: Upstream
    clock: Clock

    async def serve(self, request: Request) -> Never:
        """Acknowledge, then tell what happens, for as long as the client listens.

        Spec 2026-07-28, "Subscriptions". Raises Refused.
        """
        directory = self.catalog.directory(View(scope=request.scope))
        lists, owners = _asked(request, narrow(directory, request.view))
        stream = Stream(request=request)
        heard = {server: Forwarding(stream=stream) for server in owners.values()}
        async with asyncio.TaskGroup() as tasks:
            for server, forwarding in heard.items():
                uris = [uri for uri, owner in owners.items() if owner == server]
                tasks.create_task(self._tell_updates(forwarding, server, uris))
            await _all_listening(heard.values())
            await stream.tell(_ACKNOWLEDGED, {"notifications": _honoured(lists, owners)})
            stream.opened.set()
            tasks.create_task(self._tell_lists(stream, directory, lists))
            while True:
                await self.clock.sleep(_KEEP_ALIVE_S)
                await request.channel.send(b": keep-alive\n\n")

    async def _tell_lists(self, stream: Stream, known: Directory, lists: list[str]) -> None:
        view = stream.request.view
        while lists:
            now = await self.catalog.changed(known, stream.request.scope)
            before, after = narrow(known, view), narrow(now, view)
            for asked in lists:
                method, keys = _LISTS[asked]
                if any(before.items.get(key) != after.items.get(key) for key in keys):
                    await stream.tell(method, {})
            known = now

    async def _tell_updates(self, heard: Forwarding, server: str, uris: list[str]) -> None:
        """Listen at the server, again whenever that breaks off.

        What happened in between is not replayed, so that each resource counts as updated then.
        """
        asked: Json = {"notifications": {"resourceSubscriptions": uris}}
        while True:
            try:
                await self.upstream.ask(server, LISTEN, asked, heard)
            except Refused as refusal:
                log.info("%s takes no subscriptions: %s", server, refusal.message)
                return
            except UpstreamError as error:
                log.info("listening at %s broke off: %s", server, error.message)
            finally:
                heard.acknowledged.set()
            await self.clock.sleep(_AGAIN_S)
            for uri in uris:
                await heard.stream.tell(_UPDATED, {"uri": uri})


async def _all_listening(heard: Iterable[Forwarding]) -> None:
    """Wait for the servers, but not for long: what follows the acknowledgement is not missed."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_OPENING_S):
            for forwarding in heard:
                await forwarding.acknowledged.wait()


def _asked(request: Request, directory: Directory) -> tuple[list[str], dict[str, str]]:
    """Return the list changes and the resources (URI to owner) that can be honoured."""
    asked = request.params.get("notifications")
    if not isinstance(asked, dict):
        raise Refused(INVALID_PARAMS, "params.notifications must be an object.")
    uris = asked.get("resourceSubscriptions") or []
    if not isinstance(uris, list) or len(uris) > _MOST_URIS:
        raise Refused(
            INVALID_PARAMS, f"resourceSubscriptions must be a list of at most {_MOST_URIS} URIs."
        )
    found = {uri: directory.owner_of(uri) for uri in uris if isinstance(uri, str)}
    owners = {uri: owner for uri, owner in found.items() if owner is not None}
    return [key for key in _LISTS if asked.get(key) is True], owners


def _honoured(lists: list[str], owners: Mapping[str, str]) -> Json:
    honoured: Json = dict.fromkeys(lists, True)
    if owners:
        honoured["resourceSubscriptions"] = list(owners)
    return honoured
