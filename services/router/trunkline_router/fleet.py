"""The servers behind the router, as they run now."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import orjson
from pydantic import BaseModel, SecretStr

from trunkline_router.configuration.entries import ServerEntry
from trunkline_router.configuration.live import Live
from trunkline_router.link import Link
from trunkline_router.vitals import Vitals

_SHOWN = frozenset({
    "include",
    "exclude",
    "rename",
    "describe",
    "policy",
    "private",
    "concurrency",
    "queue",
    "pin",
    "breaker",
})
"""What of an entry may change while the server is reached as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One server: what is configured of it, how it is reached, and how it is doing.

    `place` tells a server that is not the mesh's own from another one under the same id.
    """

    id: str
    entry: ServerEntry
    link: Link
    built_in: bool = False
    place: str = ""
    vitals: Vitals = field(default_factory=Vitals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What another configuration means for the servers.

    `moved` ones are reached anew. `departed` are the members whose calls in flight are still to
    end, before their links are closed.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    departed: tuple[Member, ...] = ()


class Fleet(Mapping[str, Member]):
    """Every server by its id, in the order of the configuration.

    A member is replaced whenever its entry changes, and all of them at one moment: who holds on to
    a member for the length of a call need not ask again.
    """

    def __init__(self, members: Mapping[str, Member]) -> None:
        self._live = Live[Mapping[str, Member]](dict(members))
        self._followers: list[Callable[[Mapping[str, Member]], None]] = []

    def __getitem__(self, server: str) -> Member:
        return self._live.now[server]

    def __iter__(self) -> Iterator[str]:
        return iter(self._live.now)

    def __len__(self) -> int:
        return len(self._live.now)

    def owns(self, server: str) -> bool:
        """Say whether a server is one of the mesh's own, and not only called like one."""
        member = self._live.now.get(server)
        return member is not None and member.built_in

    @property
    def members(self) -> Mapping[str, Member]:
        """The members of this moment; the mapping itself never changes."""
        return self._live.now

    async def changed(self, since: Mapping[str, Member]) -> Mapping[str, Member]:
        """Wait until the members are others than `since`, and return them."""
        return await self._live.changed(since)

    @contextmanager
    def followed_by(self, adopt: Callable[[Mapping[str, Member]], None]) -> Iterator[None]:
        """Have `adopt` called with the members now, and at the moment of each change."""
        self._followers.append(adopt)
        try:
            adopt(self._live.now)
            yield
        finally:
            self._followers.remove(adopt)

    def apply(
        self, entries: Mapping[str, ServerEntry], opened: Callable[[str, ServerEntry], Member]
    ) -> Change:
        """Have the servers that are configured now; members that stay as they are stay the same."""
        before = self._live.now
        after = {
            server: _member(before.get(server), server, entry, opened)
            for server, entry in entries.items()
        }
        both = [server for server in after if server in before]
        moved = tuple(one for one in both if after[one].link is not before[one].link)
        change = Change(
            added=tuple(server for server in after if server not in before),
            removed=tuple(server for server in before if server not in after),
            moved=moved,
            altered=tuple(
                one for one in both if after[one] is not before[one] and one not in moved
            ),
            departed=tuple(
                member
                for server, member in before.items()
                if server not in after or server in moved
            ),
        )
        if change != Change() or list(after) != list(before):
            self._live.replace(after)
            for adopt in self._followers:
                adopt(after)
        return change

    def abandon(self, server: str, state: str) -> None:
        """Let go of a call that waits at a server, under a `requestState`."""
        member = self.members.get(server)
        if member is not None:
            member.link.abandon(state)

    async def close(self) -> None:
        """Let go of every server."""
        for member in self._live.now.values():
            await member.link.close()


def _member(
    known: Member | None,
    server: str,
    entry: ServerEntry,
    opened: Callable[[str, ServerEntry], Member],
) -> Member:
    if known is None or _place(known.entry) != _place(entry):
        return opened(server, entry)
    return known if known.entry == entry else replace(known, entry=entry)


def _place(entry: ServerEntry) -> Mapping[str, object]:
    return {name: value for name, value in entry if name not in _SHOWN}


def place_of(entry: ServerEntry) -> str:
    """Return a digest of where a server is, and as whom it is asked."""
    return hashlib.sha256(orjson.dumps(dict(_place(entry)), default=_plain)).hexdigest()[:16]


def _plain(value: object) -> object:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    if isinstance(value, BaseModel):
        return dict(value)
    raise TypeError(type(value).__name__)
