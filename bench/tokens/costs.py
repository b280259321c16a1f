"""What was measured: the costs of the tasks, and of what is told once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

GRAPHQL: Final = "graphql"
THREADS: Final = "the open review threads, with their replies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What texts cost; `tokens` by the router's rule, `encoded` as a tokenizer counts them."""

    bytes: int = 0
    tokens: int = 0
    encoded: int = 0


def total(costs: Iterable[Cost]) -> Cost:
    """Add costs up."""
    known = tuple(costs)
    return Cost(
        bytes=sum(one.bytes for one in known),
        tokens=sum(one.tokens for one in known),
        encoded=sum(one.encoded for one in known),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A task's costs: of each request by what names it, and of each call of a tool."""

    name: str
    of_logs: bool
    raw: Mapping[str, Cost]
    ours: Sequence[Cost]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """All tasks, and what the definitions of the `tools` that are listed cost, once."""

    tasks: Sequence[Measured]
    tools: int
    definitions: Cost

    def raw(self, *, logs: bool = True) -> Cost:
        """Add up what the APIs cost, every task by itself."""
        return total(cost for one in self._chosen(logs=logs) for cost in one.raw.values())

    def ours(self, *, logs: bool = True) -> Cost:
        """Add up what our tools cost."""
        return total(cost for one in self._chosen(logs=logs) for cost in one.ours)

    @property
    def raw_once(self) -> Cost:
        """Add up what the APIs cost an agent that asks for nothing twice."""
        return total({name: cost for one in self.tasks for name, cost in one.raw.items()}.values())

    @property
    def threads(self) -> tuple[Cost, Cost]:
        """What the open threads cost by one query, and by our tools."""
        task = next(one for one in self.tasks if one.name == THREADS)
        return next(cost for name, cost in task.raw.items() if GRAPHQL in name), total(task.ours)

    def _chosen(self, *, logs: bool) -> Iterable[Measured]:
        return (one for one in self.tasks if logs or not one.of_logs)
