"""What Redis does in one step: its scripts are atomic."""

from typing import NamedTuple

from tests.model.rules import Rules
from tests.model.state import BENEATH, COUNTED, OTHER, OWN, Gen, Key, Redis, World


class Seen(NamedTuple):
    """Generations as they stood together at one moment."""

    root: Gen
    own: Gen
    beneath: Gen

    def key(self, tag: str) -> Key:
        """Return what an answer that depends on a tag is kept under."""
        nonce = {OWN: self.own, BENEATH: self.beneath, OTHER: self.root}[tag].nonce
        return self.root.nonce, tag, nonce

    def is_held(self, tag: str) -> bool:
        """Say whether the tag, or everything, was bumped a moment ago."""
        hold = {OWN: self.own.hold, BENEATH: self.beneath.hold, OTHER: 0}[tag]
        return max(hold, self.root.hold) > 0

    @property
    def above(self) -> tuple[int, int]:
        return self.root.nonce, self.beneath.nonce


def minted(world: World, hold: int = 0) -> tuple[World, Gen]:
    """Return a generation that never was."""
    return world._replace(fresh=world.fresh + 1), Gen(world.fresh, hold)


def look_up(rules: Rules, world: World, at: int) -> tuple[World, Seen] | None:
    """Read the generations, minting what is missing; None when nothing kept may be used."""
    redis, router = world.redis, world.routers[at]
    if router.cut or not router.joined or router.owes or redis.members[at] != "live":
        return None
    if rules.silence and "silent" in redis.members:
        return None
    if is_lost(rules, redis):
        return None
    root, own, beneath = redis.root, redis.own, redis.beneath
    if root is None:
        world, root = minted(world)
    if own is None:
        world, own = minted(world) if rules.nonces else (world, Gen(COUNTED))
    if beneath is None and world.wide:
        world, beneath = minted(world)
    redis = redis._replace(root=root, own=own, beneath=beneath)
    return world._replace(redis=redis), Seen(root, own, beneath or root)


def bumped(rules: Rules, world: World, hold: int) -> World:
    """Replace the generations that a write to `T` spoils; a hold never gets shorter."""
    redis = world.redis
    before = redis.own
    hold = hold if world.scenario.holds else 0
    hold = max(hold, before.hold if before is not None else 0)
    if rules.nonces:
        world, own = minted(world, hold)
    else:
        own = Gen(COUNTED + 1 if before is None else before.nonce + 1, hold)
    beneath = redis.beneath
    if world.wide:
        world, beneath = minted(world, hold)
    return world._replace(redis=redis._replace(own=own, beneath=beneath))


def is_lost(rules: Rules, redis: Redis) -> bool:
    """Say whether this Redis may have lost anything: it is another one, or it was emptied."""
    return rules.identity and (redis.root is None or not redis.same)


def rejoined(rules: Rules, world: World, at: int) -> World:
    """Register a router, with a new root for all that it may owe or Redis may have lost."""
    redis, router = world.redis, world.routers[at]
    moved = redis.root is None or is_lost(rules, redis)
    mints = rules.rejoin_mints if router.joined else rules.restart_mints
    root = redis.root
    if mints or moved:
        world, root = minted(world, _hold(rules, world, at, moved=moved))
    members = list(redis.members)
    if rules.remembers and moved and (router.recalls or members[1 - at] != "absent"):
        members[1 - at] = "silent"
    members[at] = "live"
    redis = redis._replace(root=root, same=redis.same or rules.identity, members=_pair(members))
    return world._replace(redis=redis)


def _hold(rules: Rules, world: World, at: int, *, moved: bool) -> int:
    if not world.scenario.holds:
        return 0
    router, before = world.routers[at], world.redis.root
    holds = [0]
    if router.owes and rules.owed_holds:
        holds.append(router.doubts)
    if moved and router.joined:
        # What Redis has lost is taken for bumped just now; a longer hold is not known any more.
        holds.append(1)
    if before is not None and rules.holds_stay:
        holds.append(before.hold)
    return max(holds)


def member(redis: Redis, at: int, sign: str) -> Redis:
    """Return Redis with another sign of one of the registered routers."""
    if redis.members[at] == "absent":
        return redis
    members = list(redis.members)
    members[at] = sign
    return redis._replace(members=_pair(members))


def _pair(members: list[str]) -> tuple[str, str]:
    return members[0], members[1]
