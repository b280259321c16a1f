"""What goes wrong, what time does, and how routers come back: steps that anything may precede."""

from tests.model.reads import Step, Steps
from tests.model.rules import Rules
from tests.model.state import Gen, Reader, Redis, Router, World
from tests.model.store import is_lost, member, rejoined

_NOBODY = ("absent", "absent")


def fault_steps(rules: Rules, world: World) -> Steps:
    """Yield what can happen to Redis, to the network and to the routers."""
    if world.scenario.holds:
        yield from _time(world)
    yield from _redis(world)
    for at in (0, 1):
        yield from _network(world, at)
        yield from _signs(rules, world, at)
        yield from _comes_back(rules, world, at)


def _time(world: World) -> Steps:
    """Holds end; a vendor's replica has caught up before its time to settle is over."""
    vendor, ghosts = world.vendor, world.ghosts
    if vendor.behind:
        caught_up = world._replace(vendor=vendor._replace(behind=False))
        yield Step("vendor", "has all its replicas agree"), caught_up
        return
    settled = _without_holds(world, most=1)
    if settled != world:
        yield Step("time", "passes: the vendor has settled"), settled
    quiet = world.writer.phase == "idle" and not vendor.pending
    if quiet and ghosts.returned == ghosts.accepted > 0 and not ghosts.calm:
        calm = _without_holds(world, most=2)._replace(ghosts=ghosts._replace(calm=True))
        yield Step("time", "passes: nothing is held any more"), calm


def _without_holds(world: World, most: int) -> World:
    return world._replace(
        redis=_redis_without_holds(world.redis, most),
        snapshot=world.snapshot and _redis_without_holds(world.snapshot, most),
        routers=(
            _router_without_holds(world.routers[0], most),
            _router_without_holds(world.routers[1], most),
        ),
    )


def _router_without_holds(router: Router, most: int) -> Router:
    return router._replace(doubts=0) if 0 < router.doubts <= most else router


def _redis_without_holds(redis: Redis, most: int) -> Redis:
    root, own, beneath = (
        Gen(gen.nonce) if gen is not None and gen.hold <= most else gen
        for gen in (redis.root, redis.own, redis.beneath)
    )
    return redis._replace(root=root, own=own, beneath=beneath)


def _redis(world: World) -> Steps:
    redis, budget = world.redis, world.budget
    if budget.flushes:
        empty = Redis(root=None, members=_NOBODY)
        yield Step("Redis", "is flushed"), world.spend("flushes")._replace(redis=empty)
    if budget.rollbacks and world.snapshot is None:
        yield Step("Redis", "writes its file"), world._replace(snapshot=redis)
    if budget.rollbacks and world.snapshot is not None:
        old = world.snapshot._replace(same=False)
        after = world.spend("rollbacks")._replace(redis=old, snapshot=None)
        yield Step("Redis", "starts again from that file"), after
    if budget.evictions:
        spent = world.spend("evictions")
        for name, less in (
            ("root", redis._replace(root=None)),
            ("own", redis._replace(own=None)),
            ("beneath", redis._replace(beneath=None)),
        ):
            if less != redis:
                yield Step("Redis", f"evicts the generation '{name}'"), spent._replace(redis=less)
        for entry in redis.entries:
            less = redis._replace(entries=tuple(one for one in redis.entries if one != entry))
            yield Step("Redis", "evicts an entry"), spent._replace(redis=less)


def _network(world: World, at: int) -> Steps:
    router, budget = world.routers[at], world.budget
    if budget.cuts and "AB"[at] in world.scenario.faulty and not router.cut:
        yield Step("router", "is cut off from Redis", at), world.spend("cuts").router(at, cut=True)
    if router.cut:
        yield Step("router", "reaches Redis again", at), world.router(at, cut=False)
    if budget.crashes and "AB"[at] in world.scenario.dying and router.up:
        yield Step("router", "dies", at), _dead(world.spend("crashes"), at)
    if not router.up:
        yield Step("router", "starts again", at), world.router(at, up=True)


def _dead(world: World, at: int) -> World:
    """All that it knew is gone, with the reads and the write that it was busy with."""
    world = world.router(
        at, up=False, joined=False, owes=False, quiet=False, recalls=False, doubts=0, kept=()
    )
    for who, reader in enumerate(world.readers):
        if reader.at == at and reader.phase != "idle":
            world = world.reader(who, Reader(left=reader.left - 1))
    if at == 0 and world.writer.phase != "idle":
        world = world._replace(writer=world.writer._replace(phase="idle"))
    return world


def _signs(rules: Rules, world: World, at: int) -> Steps:
    """Signs of life: given, held up, executed late; and the silence without any."""
    router, redis = world.routers[at], world.redis
    beats = router.up and router.joined and not router.owes
    hears = beats and not router.cut and not is_lost(rules, redis)
    if hears and redis.members[at] == "silent":
        live = world._replace(redis=member(redis, at, "live")).router(at, quiet=False)
        yield Step("router", "gives a sign of life", at), live
    if (router.cut or not beats) and not router.quiet:
        after = world._replace(redis=member(redis, at, "silent")).router(at, quiet=True)
        if rules.not_after:
            after = after.router(at, sign="")
        yield Step("router", "has been silent for long enough to be noticed", at), after
    if world.budget.late and "AB"[at] in world.scenario.faulty and router.up and not router.sign:
        sign = "beat" if beats else "rejoin"
        held_up = world.spend("late").router(at, sign=sign)
        if rules.unanswered_counts or sign == "beat":
            held_up = held_up.router(at, quiet=False)
        yield Step("router", f"sends a {sign} that Redis does not execute yet", at), held_up
    if router.sign == "beat":
        after = world._replace(redis=member(redis, at, "live")).router(at, sign="")
        yield Step("Redis", f"executes the late beat of {'AB'[at]}"), after
    if router.sign == "rejoin":
        after = rejoined(rules, world, at).router(at, sign="")
        yield Step("Redis", f"executes the late rejoin of {'AB'[at]}"), after


def _comes_back(rules: Rules, world: World, at: int) -> Steps:
    router, redis = world.routers[at], world.redis
    if world.budget.forgets and redis.members[at] == "silent" and not router.owes:
        members = ("absent", redis.members[1]) if at == 0 else (redis.members[0], "absent")
        after = world.spend("forgets")._replace(redis=redis._replace(members=members))
        yield Step("router", "is forgotten by the others", at), after
    if not router.up or router.cut:
        return
    known = router.joined and redis.members[at] != "absent"
    if not known or router.owes or is_lost(rules, redis):
        after = rejoined(rules, world, at)
        joined = after.router(at, joined=True, owes=False, quiet=False, recalls=True)
        yield Step("router", "rejoins" if router.joined else "joins", at), joined
