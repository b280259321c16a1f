"""What can go wrong with any vendor, as values, and the list of what shall go wrong next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Generic, TypeVar

from trunkline_shared.testing.stand_in.gates import Gate, Point


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWith:
    """Answer with this instead of doing anything; a str body goes out as it is."""

    status: int
    body: Mapping[str, object] | str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CutBeforeReading:
    """Reset the connection without looking at the body; nothing is applied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutAfterApplying:
    """Do what was asked, then reset the connection in place of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailAfterApplying:
    """Do what was asked, and answer with the page of a proxy that gave up."""

    status: int = 502


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowFirstByte:
    """Do what was asked, and answer after `seconds` of real time."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowBody:
    """Send the headers and half of the body, and the rest after `seconds` of real time."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TruncatedBody:
    """Send half of the body that was announced, then close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedJson:
    """Send half of the JSON as if it were all."""


Fault = (
    AnswerWith
    | CutBeforeReading
    | CutAfterApplying
    | FailAfterApplying
    | SlowFirstByte
    | SlowBody
    | TruncatedBody
    | MalformedJson
)
FaultT = TypeVar("FaultT")


@dataclass(slots=True, kw_only=True)
class Planned:
    """Something that happens to `times` requests that match these globs, after `skip` others."""

    method: str
    path: str
    by: str
    times: float
    skip: int = 0

    def takes(self, method: str, path: str, asker: str) -> bool:
        """Say whether this request is one of them, and count it."""
        if self.times < 1 or not (
            fnmatchcase(method, self.method)
            and fnmatchcase(path, self.path)
            and fnmatchcase(asker, self.by)
        ):
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


@dataclass(slots=True)
class Faults(Generic[FaultT]):
    """Faults and gates in the order in which tests added them.

    A request meets the first fault that matches it, and every gate that does. Paths are without
    the mount point; `*` in a glob matches slashes too.
    """

    _faults: list[tuple[Planned, FaultT]] = field(default_factory=list)
    _gates: list[tuple[Planned, Gate]] = field(default_factory=list)

    def add(
        self,
        fault: FaultT,
        method: str = "*",
        path: str = "*",
        *,
        by: str = "*",
        times: float = 1,
        skip: int = 0,
    ) -> None:
        """Let `fault` happen to the next `times` matching requests (`math.inf`: to all).

        `by` is a glob for the name of the token; the first `skip` requests are let through.
        """
        planned = Planned(method=method, path=path, by=by, times=times, skip=skip)
        self._faults.append((planned, fault))

    def hold(
        self,
        method: str = "*",
        path: str = "*",
        *,
        at: Point = Point.ARRIVED,
        times: float = 1,
    ) -> Gate:
        """Return a gate at which the next `times` matching requests wait for its release."""
        gate = Gate(at)
        planned = Planned(method=method, path=path, by="*", times=times)
        self._gates.append((planned, gate))
        return gate

    def clear(self) -> None:
        """Forget every fault and open every gate."""
        self._faults.clear()
        for _, gate in self._gates:
            gate.release()
        self._gates.clear()

    def next_for(self, method: str, path: str, asker: str) -> FaultT | None:
        taken = (fault for plan, fault in self._faults if plan.takes(method, path, asker))
        return next(taken, None)

    def gates_for(self, method: str, path: str, asker: str) -> list[Gate]:
        return [gate for plan, gate in self._gates if plan.takes(method, path, asker)]
