"""A read, step by step; between any two of them anything else may happen.

A read begins with the look-up of its generations: to begin earlier would only allow it more. A
read that finds the cache switched off asks the vendor itself, and is not followed further. Where a
flight goes on although its caller has left, its steps are the same.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tests.model.rules import Rules
from tests.model.state import OWN, Copy, Entries, Key, Reader, World, got, put
from tests.model.store import look_up


class Step(NamedTuple):
    """Who does what: `actor` is `reader 1`, `writer`, `vendor`, `Redis` or a router."""

    actor: str
    action: str
    at: int | None = None

    def __str__(self) -> str:
        where = "" if self.at is None else f" at {'AB'[self.at]}"
        return f"{self.actor}{where} {self.action}"


Steps = Iterator[tuple[Step, World]]
SENT = "a read that began after a write was sent is answered from before that write"
RETURNED = "a read that began after a write returned is answered from before its end"
SETTLED = "a read that began when all had settled is answered with an older version"
_LEADS = ("asking", "fetching", "served", "putting")


def read_steps(rules: Rules, world: World) -> Steps:
    """Yield what readers can do next."""
    for who, reader in enumerate(world.readers):
        if reader.phase == "idle" and reader.left:
            yield from _begins(rules, world, who)
        elif reader.phase == "looked":
            yield from _decides(rules, world, who)
        elif reader.phase == "asking":
            yield from _asks(rules, world, who)
        elif reader.phase == "fetching":
            yield from _fetches(rules, world, who)
        elif reader.phase == "served":
            yield from _lands(rules, world, who)
        elif reader.phase == "putting":
            yield from _puts(rules, world, who)


def _step(world: World, who: int, action: str) -> Step:
    return Step(f"reader {who + 1}", action, world.readers[who].at)


def _begins(rules: Rules, world: World, who: int) -> Steps:
    ghosts, watched = world.ghosts, world.scenario.watch
    for at in map("AB".index, world.scenario.at):
        seen = look_up(rules, world, at)
        if seen is None:
            continue
        after, found = seen
        knows = world.routers[at].knows
        reader = Reader(
            left=world.readers[who].left,
            phase="looked",
            at=at,
            key=found.key(knows),
            above=found.above,
            held=found.is_held(knows),
            asked=ghosts.accepted if watched != RETURNED else 0,
            sent=ghosts.sent if watched in {SENT, ""} else 0,
            returned=ghosts.returned if watched in {RETURNED, ""} else 0,
            version=world.vendor.version if ghosts.calm and watched != RETURNED else 0,
        )
        yield (
            Step(f"reader {who + 1}", "begins: reads the generations", at),
            after.reader(who, reader),
        )


def _decides(rules: Rules, world: World, who: int) -> Steps:
    """Use what the process has, join a flight, or begin one."""
    reader = world.readers[who]
    kept = world.routers[reader.at].kept
    for copy in _usable(kept, reader.key, any_of_them=not rules.strict):
        yield _step(world, who, "is answered from the process"), _answered(world, who, copy)
        return
    for leader in world.readers:
        if _may_join(rules, reader, leader):
            joined = reader._replace(phase="following")
            yield _step(world, who, "joins the flight"), world.reader(who, joined)
            return
    phase = "fetching" if reader.held and rules.settle else "asking"
    yield _step(world, who, "begins a flight"), world.reader(who, reader._replace(phase=phase))


def _usable(kept: Entries, key: Key, *, any_of_them: bool) -> list[Copy]:
    if any_of_them:
        return [copy for _, copy in kept]
    copy = got(kept, key)
    return [] if copy is None else [copy]


def _may_join(rules: Rules, reader: Reader, leader: Reader) -> bool:
    if leader.phase not in _LEADS or leader.at != reader.at:
        return False
    if rules.settled_flights and leader.held != reader.held:
        return False
    return leader.key == reader.key or not rules.keyed_flights


def _asks(rules: Rules, world: World, who: int) -> Steps:
    """Ask what the mesh keeps."""
    reader = world.readers[who]
    router = world.routers[reader.at]
    copy = None if router.cut else got(world.redis.entries, reader.key)
    if copy is None:
        after = world.reader(who, reader._replace(phase="fetching"))
        yield _step(world, who, "finds nothing in Redis, and asks the vendor"), after
        return
    after = world.router(reader.at, kept=put(router.kept, reader.key, copy))
    yield (
        _step(world, who, "finds it in Redis"),
        _landed(rules, _answered(after, who, copy), reader, copy),
    )


def _fetches(rules: Rules, world: World, who: int) -> Steps:
    reader, vendor = world.readers[who], world.vendor
    for version in {vendor.version, vendor.version - vendor.behind}:
        copy = Copy(version, reader.asked, world.ghosts.ended)
        whose = "a replica of the vendor that lags" if version < vendor.version else "the vendor"
        served = reader._replace(phase="served", copy=copy)
        yield _step(world, who, f"is served v{version} by {whose}"), world.reader(who, served)
    if world.budget.vendor_errors:
        spent = world.spend("vendor_errors")
        kept = world.routers[reader.at].kept
        for copy in _usable(kept, reader.key, any_of_them=not rules.stale_current):
            yield (
                _step(world, who, "gets no answer, and a stale copy for it"),
                _answered(spent, who, copy),
            )
            return
        yield _step(world, who, "gets no answer"), _done(spent, who)


def _lands(rules: Rules, world: World, who: int) -> Steps:
    """The answer arrives: it tells its tag, and is kept in the process."""
    reader = world.readers[who]
    assert reader.copy is not None
    if reader.held and rules.settle:
        after = _landed(rules, _done(_told(world, reader), who), reader, reader.copy)
        yield _step(world, who, "is answered; nothing is kept so soon after a change"), after
        return
    world, key = _key(rules, world, reader)
    world = _told(world, reader)
    if key is None:
        after = _landed(rules, _done(world, who), reader, reader.copy)
        yield _step(world, who, "is answered; it cannot be kept"), after
        return
    kept = put(world.routers[reader.at].kept, key, reader.copy)
    putting = reader._replace(phase="putting", stores=key)
    after = world.router(reader.at, kept=kept).reader(who, putting)
    yield _step(world, who, "keeps the answer in the process"), after


def _told(world: World, reader: Reader) -> World:
    return world.router(reader.at, knows=OWN)


def _key(rules: Rules, world: World, reader: Reader) -> tuple[World, Key | None]:
    """Return where the answer is kept, now that its tag is known."""
    if reader.key[1] == OWN and rules.footing_first:
        return world, reader.key
    seen = look_up(rules, world, reader.at)
    if seen is None:
        return world, None
    after, found = seen
    if rules.footing_first and rules.told_tags and found.above != reader.above:
        return after, None
    if rules.settle and found.is_held(OWN):
        return after, None
    return after, found.key(OWN)


def _puts(rules: Rules, world: World, who: int) -> Steps:
    reader = world.readers[who]
    assert reader.stores is not None
    assert reader.copy is not None
    after = world
    if not world.routers[reader.at].cut:
        entries = put(world.redis.entries, reader.stores, reader.copy)
        after = world._replace(redis=world.redis._replace(entries=entries))
    after = _landed(rules, _done(after, who), reader, reader.copy)
    yield _step(world, who, "keeps it in Redis, and is answered"), after


def _landed(rules: Rules, world: World, leader: Reader, copy: Copy) -> World:
    """Answer those who joined; one who may not have it begins again, which is another read."""
    for who, reader in enumerate(world.readers):
        if reader.phase != "following" or not _followed(rules, reader, leader):
            continue
        holds = leader.key[1] == OWN or leader.above == reader.above
        if holds or not rules.follower_checks:
            world = _answered(world, who, copy)
        else:
            world = _done(world, who)
    return world


def _followed(rules: Rules, reader: Reader, leader: Reader) -> bool:
    return reader.at == leader.at and (reader.key == leader.key or not rules.keyed_flights)


def _answered(world: World, who: int, copy: Copy) -> World:
    """End a read with a copy that somebody else has fetched."""
    reader = world.readers[who]
    broken = ""
    if copy.served < reader.returned:
        broken = RETURNED
    elif copy.asked < reader.sent:
        broken = SENT
    elif copy.version < reader.version:
        broken = SETTLED
    return _done(world, who)._replace(broken=broken)


def _done(world: World, who: int) -> World:
    return world.reader(who, Reader(left=world.readers[who].left - 1))
