"""What a part of the benchmark has found: tables, curves, and limits that are met or not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Cell = str | int | float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A figure and the most it may be, both in `unit`."""

    what: str
    value: float
    most: float
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.value <= self.most


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under their columns; `note` says how to read them, in Markdown."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Curves by name, each a row of points; `name` is the picture's file name without its end."""

    name: str
    title: str
    x: str
    y: str
    curves: Mapping[str, Sequence[tuple[float, float]]]
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Lengths by name, those of `ours` in a colour of their own; `name` is the picture's file."""

    name: str
    title: str
    x: str
    lengths: Mapping[str, float]
    ours: Sequence[str] = ()
    log_x: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that one part has to say; `left_out` tells what could not be measured here, and why."""

    title: str
    about: str
    tables: Sequence[Table] = ()
    charts: Sequence[Chart | Bars] = ()
    limits: Sequence[Limit] = ()
    left_out: Sequence[str] = field(default=())


Part = Callable[[bool], Findings]
"""Measures a part; True asks for few rounds, to see that it works."""
