"""The stand-in's webhooks: what has changed is told to whoever asked, signed, one by one.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

import asyncio
import hashlib
import hmac
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import aiohttp
import orjson

from trunkline_shared.testing.github.observed import Json, Thing, things
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.state import State

EVERYTHING = ("*",)
_PATIENCE = aiohttp.ClientTimeout(total=10)
Seen = dict[tuple[int, str, object], tuple[Repository, Thing]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """Who is told of what."""

    url: str
    secret: str = field(repr=False)
    events: tuple[str, ...] = EVERYTHING

    def wants(self, event: str) -> bool:
        return event == "ping" or "*" in self.events or event in self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One event on its way; `status` is what came back, 0 where nothing did."""

    hook: Hook
    event: str
    payload: Json
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    status: int = 0

    @property
    def body(self) -> bytes:
        return orjson.dumps(self.payload)

    @property
    def headers(self) -> dict[str, str]:
        signature = hmac.digest(self.hook.secret.encode(), self.body, hashlib.sha256).hex()
        return {
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/stand-in",
            "X-GitHub-Event": self.event,
            "X-GitHub-Delivery": self.id,
            "X-Hub-Signature-256": f"sha256={signature}",
        }


@dataclass(slots=True, kw_only=True)
class Webhooks:
    """Sees what has changed after each request, and when it is asked to, and tells of it.

    `sent` are the deliveries that have been made, in order. While `held` nothing is sent.
    """

    state: State
    hooks: list[Hook] = field(default_factory=list)
    sent: list[Delivery] = field(default_factory=list)
    _seen: Seen = field(default_factory=dict)
    _waiting: "asyncio.Queue[Delivery]" = field(default_factory=asyncio.Queue)
    _free: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._free.set()

    def deliver_to(self, url: str, secret: str, events: tuple[str, ...] = EVERYTHING) -> None:
        """Tell this URL of what changes from now on; first of all a ping for each repository."""
        hook = Hook(url=url, secret=secret, events=events)
        self.notice()
        self.hooks.append(hook)
        self._seen = self._now()
        for repository in self.state.repositories.values():
            payload: Json = {"zen": "Keep it logically awesome.", "hook_id": len(self.hooks)}
            payload["hook"] = {"type": "Repository", "active": True, "events": list(events)}
            self.send("ping", repository, payload)

    def notice(self) -> None:
        """Queue an event for all that has changed since the last time."""
        if not self.hooks:
            return
        before, self._seen = self._seen, self._now()
        for event, repository, payload in _changes(before, self._seen):
            self.send(event, repository, payload)

    def send(self, event: str, repository: Repository, payload: Json) -> None:
        """Queue an event of a repository for each who wants it."""
        owner: Json = {"login": repository.owner.login, "id": repository.owner.id}
        about: Json = {
            "repository": {
                "id": repository.id,
                "name": repository.name,
                "full_name": repository.full_name,
                "owner": owner,
                "private": repository.private,
                "default_branch": repository.default_branch,
            },
            "sender": owner,
        }
        for hook in self.hooks:
            if hook.wants(event):
                self._waiting.put_nowait(Delivery(hook=hook, event=event, payload=payload | about))

    def redeliver(self, delivery: Delivery) -> None:
        """Send a delivery once more, under the same id."""
        self._waiting.put_nowait(delivery)

    def hold(self) -> None:
        """Send nothing until `release`."""
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    async def delivered(self) -> None:
        """Notice what has changed, and wait until everybody has been told of it."""
        self.notice()
        await self._waiting.join()

    async def run(self) -> None:
        """Send what waits, in order, until cancelled."""
        async with aiohttp.ClientSession(timeout=_PATIENCE) as session:
            while True:
                delivery = await self._waiting.get()
                await self._free.wait()
                try:
                    await self._post(session, delivery)
                finally:
                    self._waiting.task_done()

    async def _post(self, session: aiohttp.ClientSession, delivery: Delivery) -> None:
        status = 0
        try:
            async with session.post(
                delivery.hook.url, data=delivery.body, headers=delivery.headers
            ) as answer:
                await answer.read()
                status = answer.status
        except (aiohttp.ClientError, TimeoutError):
            pass
        self.sent.append(
            Delivery(
                hook=delivery.hook,
                event=delivery.event,
                payload=delivery.payload,
                id=delivery.id,
                status=status,
            )
        )

    def _now(self) -> Seen:
        return {
            (repository.id, thing.event, thing.id): (repository, thing)
            for repository in self.state.repositories.values()
            for thing in things(repository)
        }


def _changes(before: Seen, after: Seen) -> Iterator[tuple[str, Repository, Json]]:
    for key, (repository, thing) in after.items():
        was = before.get(key)
        if was is None:
            yield from _told(repository, thing, thing.actions[0])
        elif was[1].state != thing.state:
            yield from _told(repository, thing, thing.actions[1])
    for key, (repository, thing) in before.items():
        if key not in after:
            yield from _told(repository, thing, thing.actions[2])


def _told(
    repository: Repository, thing: Thing, action: str | None
) -> Iterator[tuple[str, Repository, Json]]:
    if action is not None:
        named: Json = {"action": action} if action else {}
        yield thing.event, repository, named | thing.payload
