"""The state of the world: small values, equal when nothing that matters tells them apart."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from tests.model.rules import Scenario

Key = tuple[int, str, int]
"""What an answer is kept under: the root's nonce, the name of a tag, and its nonce."""
OWN, BENEATH, OTHER = "own", "beneath", "other"
"""The tag `T` that the answer depends on, all beneath `W` with it, and a tag that nobody writes."""
COUNTED = 1000
"""From here on a generation is a counter: the rule that they are nonces is off."""


class Gen(NamedTuple):
    """A generation. `hold` is 0, 1 while the vendor settles, 2 while a write is in doubt."""

    nonce: int
    hold: int = 0


class Copy(NamedTuple):
    """An answer: the vendor's version, and when it was fetched, in writes.

    `asked` are the writes accepted when its generations were read, `served` those ended when the
    vendor served it.
    """

    version: int
    asked: int
    served: int


Entries = tuple[tuple[Key, Copy], ...]


class Redis(NamedTuple):
    """What all share. A member is `live`, `silent` or `absent`; `same` says that the root was
    minted in this very Redis."""

    root: Gen | None = Gen(0)
    same: bool = True
    own: Gen | None = None
    beneath: Gen | None = None
    members: tuple[str, str] = ("live", "live")
    entries: Entries = ()


class Router(NamedTuple):
    """One replica. `quiet` says that the others must have noticed its silence by its own clock.

    `owes` is a bump that could not be made; `sign` a command that hangs in a socket of Redis.
    `recalls` says that it knows of the other one; `doubts` is the hold of its last bump.
    """

    knows: str
    cut: bool = False
    up: bool = True
    joined: bool = True
    owes: bool = False
    quiet: bool = False
    recalls: bool = True
    doubts: int = 0
    sign: str = ""
    kept: Entries = ()


class Reader(NamedTuple):
    """An agent, and where its read has come to.

    `above` is the root and the generation of all beneath `W` as they were before the fetch.
    `sent`, `returned` and `version` are what the read may not be answered from before of.
    """

    left: int
    phase: str = "idle"
    at: int = 0
    key: Key = (0, "", 0)
    above: tuple[int, int] = (0, 0)
    held: bool = False
    asked: int = 0
    sent: int = 0
    returned: int = 0
    version: int = 0
    copy: Copy | None = None
    stores: Key | None = None


class Writer(NamedTuple):
    """The agent that writes, always through router A; `hold` is what its second bump asks for."""

    left: int
    phase: str = "idle"
    hold: int = 1


class Vendor(NamedTuple):
    """The truth. `pending` is a write that may still be applied, `behind` a replica that lags."""

    version: int = 0
    pending: bool = False
    behind: bool = False


class Ghosts(NamedTuple):
    """What an onlooker counts: the number of the last write that came so far; `calm` is when every
    write has returned and the time that the vendor may need has passed."""

    accepted: int = 0
    sent: int = 0
    ended: int = 0
    returned: int = 0
    calm: bool = False


class Budget(NamedTuple):
    """What may still go wrong."""

    timeouts: int
    failures: int
    lag: int
    vendor_errors: int
    lost: int
    late: int
    cuts: int
    crashes: int
    flushes: int
    rollbacks: int
    evictions: int
    forgets: int


class World(NamedTuple):
    """All of it. `wide` says that the generation of all beneath `W` matters; `fresh` is the next
    nonce; `broken` names the promise that the last step has broken."""

    redis: Redis
    snapshot: Redis | None
    routers: tuple[Router, Router]
    readers: tuple[Reader, ...]
    writer: Writer
    vendor: Vendor
    ghosts: Ghosts
    budget: Budget
    wide: bool = False
    scenario: Scenario = Scenario()
    fresh: int = 1
    broken: str = ""

    def router(self, at: int, **changes: Any) -> "World":
        """Return it with one router changed."""
        changed = self.routers[at]._replace(**changes)
        pair = (changed, self.routers[1]) if at == 0 else (self.routers[0], changed)
        return self._replace(routers=pair)

    def reader(self, who: int, reader: Reader) -> "World":
        """Return it with one reader changed."""
        return self._replace(readers=(*self.readers[:who], reader, *self.readers[who + 1 :]))

    def spend(self, what: str) -> "World":
        """Return it with one thing less that may go wrong."""
        left = getattr(self.budget, what) - 1
        return self._replace(budget=self.budget._replace(**{what: left}))


def start(scenario: Scenario) -> World:
    """Return where a search begins: two routers that have joined, and nothing kept."""
    budget = Budget(*(getattr(scenario, name) for name in Budget._fields))
    router = Router(knows=scenario.knows)
    return World(
        redis=Redis(),
        snapshot=None,
        routers=(router, router),
        readers=(Reader(scenario.reads), Reader(scenario.reads)),
        writer=Writer(scenario.writes),
        vendor=Vendor(),
        ghosts=Ghosts(),
        budget=budget,
        wide=scenario.knows != OWN,
        scenario=scenario,
    )


def put(entries: Entries, key: Key, copy: Copy) -> Entries:
    """Return entries with one more."""
    return tuple(sorted((*((at, old) for at, old in entries if at != key), (key, copy))))


def got(entries: Entries, key: Key) -> Copy | None:
    """Return what is kept under a key."""
    return next((copy for at, copy in entries if at == key), None)


def canonical(world: World, *, forgets: bool) -> World:
    """Return the one world that stands for all that differ in names only.

    Readers stand in order. With `forgets` copies that nobody can ask for any more are gone, and
    nonces are numbered as they come; without, a rule is off under which either may matter.
    """
    readers = tuple(sorted(world.readers, key=_plain))
    if readers != world.readers:
        world = world._replace(readers=readers)
    if not forgets:
        return world
    names: dict[int, int] = {}
    for nonce in _alive(world):
        names.setdefault(nonce, len(names))
    if all(nonce == name for nonce, name in names.items()) and all(
        map(names.__contains__, _kept(world))
    ):
        return world if world.fresh == len(names) else world._replace(fresh=len(names))
    return _renamed(world, names)


def _kept(world: World) -> Iterator[int]:
    first, second = world.routers
    snapshot = () if world.snapshot is None else world.snapshot.entries
    for entries in (world.redis.entries, first.kept, second.kept, snapshot):
        for key, _ in entries:
            yield key[0]
            yield key[2]


def _plain(reader: Reader) -> tuple[object, ...]:
    return (
        reader.phase,
        reader.at,
        reader.left,
        reader.held,
        reader.copy or (),
        reader.sent,
        reader.returned,
        reader.version,
        reader.asked,
        reader.key,
        reader.above,
    )


def _alive(world: World) -> Iterator[int]:
    for redis in (world.redis, world.snapshot or world.redis):
        yield from (gen.nonce for gen in (redis.root, redis.own, redis.beneath) if gen is not None)
    for reader in world.readers:
        if reader.phase != "idle":
            yield from (reader.key[0], reader.key[2], *reader.above)
            if reader.stores is not None:
                yield from (reader.stores[0], reader.stores[2])


def _renamed(world: World, names: dict[int, int]) -> World:
    first, second = world.routers
    return world._replace(
        redis=_renamed_redis(world.redis, names),
        snapshot=world.snapshot and _renamed_redis(world.snapshot, names),
        routers=(
            first._replace(kept=_renamed_entries(first.kept, names)),
            second._replace(kept=_renamed_entries(second.kept, names)),
        ),
        readers=tuple(_renamed_reader(reader, names) for reader in world.readers),
        fresh=len(names),
    )


def _renamed_redis(redis: Redis, names: dict[int, int]) -> Redis:
    root, own, beneath = (
        None if gen is None else Gen(names[gen.nonce], gen.hold)
        for gen in (redis.root, redis.own, redis.beneath)
    )
    return Redis(
        root, redis.same, own, beneath, redis.members, _renamed_entries(redis.entries, names)
    )


def _renamed_entries(entries: Iterable[tuple[Key, Copy]], names: dict[int, int]) -> Entries:
    return tuple(
        sorted(
            (_renamed_key(key, names), copy)
            for key, copy in entries
            if key[0] in names and key[2] in names
        )
    )


def _renamed_key(key: Key, names: dict[int, int]) -> Key:
    return names[key[0]], key[1], names[key[2]]


def _renamed_reader(reader: Reader, names: dict[int, int]) -> Reader:
    if reader.phase == "idle":
        return reader
    root, beneath = reader.above
    return reader._replace(
        key=_renamed_key(reader.key, names),
        above=(names[root], names[beneath]),
        stores=reader.stores and _renamed_key(reader.stores, names),
    )
