"""Breadth-first over all interleavings: the shortest history that breaks a promise, or none."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from tests.model.faults import fault_steps
from tests.model.reads import Step, Steps, read_steps
from tests.model.rules import Rules, Scenario
from tests.model.state import World, canonical, start
from tests.model.writes import write_steps

_CAN_JOIN = {"looked", "following", "asking", "fetching"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search came to: how many states it saw, and how a promise is broken, if one is."""

    states: int
    broken: str = ""
    history: tuple[Step, ...] = ()

    def __str__(self) -> str:
        lines = [f"{number:>3}. {step}" for number, step in enumerate(self.history, 1)]
        return "\n".join([f"{self.broken or 'nothing broken'} ({self.states:,} states)", *lines])


def steps(rules: Rules, world: World) -> Steps:
    """Yield all that can happen next."""
    yield from read_steps(rules, world)
    yield from write_steps(rules, world)
    yield from fault_steps(rules, world)


def search(rules: Rules, scenario: Scenario) -> Found:
    """Search until a promise is broken, or there is nothing left to search."""
    forgets = rules.strict and rules.stale_current and rules.nonces
    first = canonical(start(scenario), forgets=forgets)
    came_from: dict[World, World | None] = {first: None}
    waiting = deque([first])
    while waiting:
        world = waiting.popleft()
        for _, after in steps(rules, world):
            reached = canonical(after, forgets=forgets)
            if reached in came_from:
                continue
            came_from[reached] = world
            if reached.broken:
                history = tuple(
                    _retold(rules, scenario, _path(came_from, reached), forgets=forgets)
                )
                return Found(states=len(came_from), broken=reached.broken, history=history)
            if _matters(reached):
                waiting.append(reached)
    return Found(states=len(came_from))


def _matters(world: World) -> bool:
    """Say whether any read can still be answered from too old a copy."""
    return any(
        reader.left
        if reader.phase == "idle"
        else reader.phase in _CAN_JOIN and (reader.sent or reader.returned or reader.version)
        for reader in world.readers
    )


def _path(came_from: dict[World, World | None], last: World) -> list[World]:
    path = [last]
    while (before := came_from[path[-1]]) is not None:
        path.append(before)
    return path[-2::-1]


def _retold(
    rules: Rules, scenario: Scenario, path: list[World], *, forgets: bool
) -> Iterator[Step]:
    """Tell a path with everyone's own name, which the canonical worlds have lost."""
    world = start(scenario)
    for reached in path:
        step, world = next(
            (step, after)
            for step, after in steps(rules, world)
            if canonical(after, forgets=forgets) == reached
        )
        yield step
