"""Cases in interleaved rounds, so that all of them meet the same machine."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.findings import Table
from bench.processes import CONNECTIONS, Subject, prepared, ratio_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One kind of request at one process; `costs` are microseconds of CPU per request, by round."""

    label: str
    subject: Subject
    operation: str = "call"
    share: int = 1
    """A round has so many times fewer requests, for those that take long."""
    connections: int = CONNECTIONS
    costs: list[float] = field(default_factory=list)

    def round(self, requests: int) -> None:
        count = max(requests // self.share // self.connections, 1) * self.connections
        with prepared(self.subject.port, count, self.operation, self.connections) as load:
            before = self.subject.cpu()
            load.put_on()
            self.costs.append((self.subject.cpu() - before) / count * 1e6)

    @property
    def cost(self) -> float:
        return statistics.median(self.costs)

    def ratio(self, floor: "Case") -> float:
        """Return the median of the ratios, round by round."""
        return ratio_of(self.costs, floor.costs)


def interleave(cases: Sequence[Case], rounds: int, requests: int) -> None:
    """Measure all cases in turn, round by round, after one round that warms them up."""
    began = time.monotonic()
    for number in range(rounds + 1):
        for case in cases:
            case.round(requests)
            if number == 0:
                case.costs.clear()
        spent = time.monotonic() - began
        say(f"round {number} of {rounds}, {spent:.0f} s")


def table(pairs: Sequence[tuple[Case, Case]], inside: str) -> Table:
    """Return the costs of cases, each with its ratio to its floor, whose column is `inside`."""
    return Table(
        title="Microseconds of CPU per request",
        columns=("", "median", "least", "most", inside),
        rows=[
            (case.label, *spread(case.costs), round(case.ratio(floor), 2)) for case, floor in pairs
        ],
    )


def spread(costs: Sequence[float]) -> tuple[int, int, int]:
    """Return the median, the least and the most of it."""
    return round(statistics.median(costs)), round(min(costs)), round(max(costs))


def say(line: str) -> None:
    """Tell how far it has come, apart from what is found."""
    print(f"  {line}", flush=True)
