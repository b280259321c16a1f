"""`subscriptions/listen`: one stream to a client, fed by the catalogue and by the servers."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Never

from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.catalogue.directory import Directory
from trunkline_router.model import Json, Request
from trunkline_router.ports import Catalog, Updates
from trunkline_router.updates import Updated
from trunkline_router.view import View
from trunkline_router.wire.event import KEEP_ALIVE, KEEP_ALIVE_S, as_event
from trunkline_router.wire.refusal import Refused
from trunkline_shared import meta
from trunkline_shared.clock import Clock

LISTEN = "subscriptions/listen"
UPDATED = "notifications/resources/updated"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_MOST_URIS = 256

LISTS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "toolsListChanged": ("notifications/tools/list_changed", ("tools",)),
    "promptsListChanged": ("notifications/prompts/list_changed", ("prompts",)),
    "resourcesListChanged": (
        "notifications/resources/list_changed",
        ("resources", "resourceTemplates"),
    ),
}
"""What a client may ask to be told: the notification, and the lists whose change it means."""


def changed_lists(before: Directory, after: Directory, asked: tuple[str, ...]) -> Iterator[str]:
    """Yield the notification of each list that has changed, of those that are asked for.

    Entries count, not their order, nor whether their server is there at the moment.
    """
    for kind in asked:
        method, keys = LISTS[kind]
        if any(before.print_of(key) != after.print_of(key) for key in keys):
            yield method


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """The client's side: every frame carries the id of its own request."""

    request: Request

    async def tell(self, method: str, params: Json) -> None:
        tagged = params | {"_meta": {meta.SUBSCRIPTION_ID: self.request.id}}
        message: Json = {"jsonrpc": "2.0", "method": method, "params": tagged}
        await self.request.channel.send(as_event(message))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscriptions:
    """Serves listen streams until their clients leave."""

    catalog: Catalog
    updates: Updates
    clock: Clock

    async def serve(self, request: Request) -> Never:
        """Acknowledge, then tell what happens, for as long as the client listens.

        Spec 2026-07-28, "Subscriptions". Raises Refused.
        """
        lists, uris = _asked(request)
        known = self.catalog.directory(View(scope=request.scope))
        before = self.catalog.directory(request.view)
        stream = Stream(request=request)
        async with self.updates.of(uris, request.view) as updated:
            await stream.tell(ACKNOWLEDGED, {"notifications": _honoured(lists, updated.honoured)})
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell_lists(stream, (known, before), lists))
                tasks.create_task(_tell_updates(stream, updated))
                while True:
                    await self.clock.sleep(KEEP_ALIVE_S)
                    await request.channel.send(KEEP_ALIVE)

    async def _tell_lists(
        self, stream: Stream, since: tuple[Directory, Directory], lists: tuple[str, ...]
    ) -> None:
        view = stream.request.view
        known, before = since
        while lists:
            known = await self.catalog.changed(known, view.scope)
            after = self.catalog.directory(view)
            for method in changed_lists(before, after, lists):
                await stream.tell(method, {})
            before = after


async def _tell_updates(stream: Stream, updated: Updated) -> None:
    async for uri in updated:
        await stream.tell(UPDATED, {"uri": uri})


def _asked(request: Request) -> tuple[tuple[str, ...], list[str]]:
    """Return the list changes and the resources that are asked for."""
    asked = request.params.get("notifications")
    if not isinstance(asked, dict):
        raise Refused(INVALID_PARAMS, "params.notifications must be an object.")
    uris = asked.get("resourceSubscriptions") or []
    if not isinstance(uris, list) or len(uris) > _MOST_URIS:
        raise Refused(
            INVALID_PARAMS, f"resourceSubscriptions must be a list of at most {_MOST_URIS} URIs."
        )
    lists = tuple(kind for kind in LISTS if asked.get(kind) is True)
    return lists, [uri for uri in uris if isinstance(uri, str)]


def _honoured(lists: tuple[str, ...], uris: tuple[str, ...]) -> Json:
    honoured: Json = dict.fromkeys(lists, True)
    if uris:
        honoured["resourceSubscriptions"] = list(uris)
    return honoured
