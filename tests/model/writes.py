"""A write, step by step, always through router A: the routers differ in nothing else."""

from tests.model.reads import Step, Steps
from tests.model.rules import Rules
from tests.model.state import World
from tests.model.store import bumped

_A = 0


def write_steps(rules: Rules, world: World) -> Steps:
    """Yield what the writer, and the vendor with what it wrote, can do next."""
    phase = world.writer.phase
    if phase == "idle" and world.writer.left and world.routers[_A].up:
        yield from _accepts(rules, world)
    elif phase in {"first bump failed", "second bump failed"}:
        yield from _waits(rules, world)
    elif phase == "bumped":
        yield from _sends(world)
    elif phase == "sent":
        yield from _ends(rules, world)
    elif phase == "ended":
        yield from _bump(rules, world, world.writer.hold, "second bump")
    elif phase == "returning":
        yield _step("returns to its agent"), _returned(world)
    if world.vendor.pending:
        yield from _applies(world)


def _step(action: str) -> Step:
    return Step("the write", action, _A)


def _phase(world: World, phase: str) -> World:
    return world._replace(writer=world.writer._replace(phase=phase))


def _accepts(rules: Rules, world: World) -> Steps:
    ghosts = world.ghosts._replace(accepted=world.ghosts.accepted + 1, calm=False)
    writer = world.writer._replace(left=world.writer.left - 1, hold=1)
    world = world._replace(ghosts=ghosts, writer=writer)
    if rules.bump_before:
        yield from _bump(rules, world, 1, "first bump")
    else:
        yield _step("is accepted"), _phase(world, "bumped")


def _bump(rules: Rules, world: World, hold: int, which: str) -> Steps:
    world = world.router(_A, doubts=hold if world.scenario.holds else 0)
    done = "bumped" if which == "first bump" else "returning"
    failed = f"{which} failed"
    if not world.routers[_A].cut:
        made = bumped(rules, world, hold)
        yield _step(f"makes its {which}"), _phase(made, done)
        if world.budget.lost:
            owing = made.spend("lost").router(_A, owes=True)
            yield _step(f"makes its {which}, but hears no answer"), _phase(owing, failed)
            owing = world.spend("lost").router(_A, owes=True)
            yield _step(f"loses its {which}"), _phase(owing, failed)
        return
    yield _step(f"cannot make its {which}"), _phase(world.router(_A, owes=True), failed)


def _waits(rules: Rules, world: World) -> Steps:
    router = world.routers[_A]
    done = "bumped" if world.writer.phase == "first bump failed" else "returning"
    if not router.owes:
        yield _step("goes on: the router has rejoined"), _phase(world, done)
    elif router.quiet or not rules.waits:
        yield _step("goes on: the others must have noticed the silence"), _phase(world, done)


def _sends(world: World) -> Steps:
    ghosts = world.ghosts._replace(sent=world.ghosts.accepted)
    vendor = world.vendor._replace(pending=True)
    yield (
        _step("is sent to the vendor"),
        _phase(world, "sent")._replace(ghosts=ghosts, vendor=vendor),
    )


def _applies(world: World) -> Steps:
    vendor = world.vendor._replace(version=world.vendor.version + 1, pending=False)
    yield Step("vendor", "applies the write"), world._replace(vendor=vendor)
    if world.budget.lag:
        yield (
            Step("vendor", "applies the write, and one of its replicas lags"),
            world.spend("lag")._replace(vendor=vendor._replace(behind=True)),
        )


def _ends(rules: Rules, world: World) -> Steps:
    if not world.vendor.pending:
        after = _ended(world, hold=1, bumps=rules.bump_after)
        yield _step("is answered"), after
    if world.budget.failures:
        vendor = world.vendor._replace(pending=False)
        after = _ended(world.spend("failures"), hold=1, bumps=rules.bump_failed)
        yield _step("is answered with an error"), after._replace(vendor=vendor)
    if world.budget.timeouts:
        hold = 2 if rules.doubt else 1
        after = _ended(world.spend("timeouts"), hold=hold, bumps=rules.bump_failed)
        yield _step("is given up after its time"), after


def _ended(world: World, *, hold: int, bumps: bool) -> World:
    ghosts = world.ghosts._replace(ended=world.ghosts.sent)
    writer = world.writer._replace(phase="ended" if bumps else "returning", hold=hold)
    return world._replace(ghosts=ghosts, writer=writer)


def _returned(world: World) -> World:
    ghosts = world.ghosts._replace(returned=world.ghosts.ended)
    return _phase(world, "idle")._replace(ghosts=ghosts)
