"""A gateway of others, as it is measured."""

import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from bench.operations import OPERATIONS, Operation
from bench.processes import Subject
from bench.rounds import Case

CALL = OPERATIONS["call"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A running gateway, the call that it gets, and what is to be known of it.

    `slowness` is how many times fewer requests a round of it has; `relays` says that it asks the
    upstream each time, `python` what it is written in.
    """

    label: str
    subject: Subject
    operation: Operation = CALL
    slowness: int = 1
    relays: bool = True
    python: bool = True

    def case(self) -> Case:
        named = orjson.dumps(asdict(self.operation)).decode()
        return Case(label=self.label, subject=self.subject, operation=named, share=self.slowness)


def version_of(programs: Path, package: str) -> str:
    """Return the version of a package in the environment of a peer."""
    ask = f"import importlib.metadata as m; print(m.version({package!r}))"
    command = [str(programs / "python"), "-c", ask]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.strip()
