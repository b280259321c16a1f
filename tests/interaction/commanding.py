"""Runs of the command runner with an agent that does what a test says, and what they leave."""

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp_types import ClientCapabilities

from tests.from_registries import ROOT
from trunkline_bridge.command.environment import CommandEnvironment
from trunkline_bridge.command.output import OUT_CAP
from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.query.patterns import ToolPattern
from trunkline_bridge.query.runner import Answer, Asker, Query, Turn
from trunkline_shared.clock import SystemClock
from trunkline_shared.mesh.entrance import Entrance

SCRIPT = ROOT / "tests" / "clients" / "scripted_agent.py"
MESH = Entrance(url="http://127.0.0.1:1/mcp", token="tl-token-of-this-run")
ASKER = Asker(capabilities=ClientCapabilities())
Step = tuple[str, ...]


def says(**message: Any) -> Step:
    """Return the step that writes a message."""
    return ("say", json.dumps(message))


def turn(number: int, *content: Mapping[str, Any]) -> Step:
    """Return the step in which the model says something, in its turn of that number."""
    blocks = list(content) or [{"type": "text", "text": f"turn {number}"}]
    message = {"id": f"msg_{number}", "role": "assistant", "content": blocks}
    return says(type="assistant", message=message, parent_tool_use_id=None)


def calls(number: int, name: str) -> Step:
    """Return the step of a turn in which the model calls a tool."""
    return turn(number, {"type": "tool_use", "id": f"use_{number}", "name": name, "input": {}})


def answered(number: int, content: object, *, failed: bool = False) -> Step:
    """Return the step in which that tool answers."""
    block = {"type": "tool_result", "tool_use_id": f"use_{number}", "content": content}
    failure = {"is_error": True} if failed else {}
    return says(type="user", message={"role": "user", "content": [{**block, **failure}]})


def result(text: str | None = "done", **more: Any) -> Step:
    """Return the step of the last message."""
    given = {"subtype": "success", "is_error": False, "result": text, "num_turns": 1, **more}
    return says(type="result", **given)


def query(*steps: Step, tools: tuple[str, ...] = ("sample",), **given: Any) -> Query:
    """Return a query whose prompt has the agent take these steps."""
    patterns = tuple(ToolPattern(server=server) for server in tools)
    defaults: dict[str, Any] = {"model": "sonnet", "max_turns": 3, "timeout_s": 20.0}
    return Query(prompt=json.dumps(steps), tools=patterns, **{**defaults, **given})


def runner(
    below: Path, environment: Mapping[str, str] | None = None, *, out_cap: int = OUT_CAP
) -> CommandRunner:
    """Return the runner whose command is the agent; its folders are made below one."""
    return CommandRunner(
        words=(sys.executable, "-I", "-S", str(SCRIPT)),
        environment=CommandEnvironment({"PATH": os.defpath, **(environment or {})}),
        clock=SystemClock(),
        below=below,
        out_cap=out_cap,
    )


@dataclass(kw_only=True)
class Turns:
    """Hears of turns; `at` one of them it does what a test wants done then."""

    heard: list[tuple[int, str]] = field(default_factory=list)
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, number: int, what: str) -> None:
        self.heard.append((number, what))
        self.reached.set()


async def run(of: CommandRunner, asked: Query, on_turn: Turn | None = None) -> Answer:
    """Run a query to its answer."""
    async with asyncio.timeout(30):
        answer = await of.run(asked, MESH, ASKER, on_turn or Turns())
    assert isinstance(answer, Answer)
    return answer


def noted(path: Path) -> list[int]:
    """Return the numbers that processes have left."""
    return [int(line) for line in path.read_text("utf-8").split()] if path.exists() else []


def alive(processes: list[int]) -> list[int]:
    """Return those that are still there, as zombies too."""
    return [process for process in processes if Path(f"/proc/{process}").exists()]


def those_of(below: Path) -> list[int]:
    """Return all processes that were started for a run below a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and str(below).encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


def zombies() -> list[int]:
    """Return the ended children of this process that nobody has waited for."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            fields = (entry / "stat").read_text("utf-8").rpartition(")")[2].split()
            if entry.name.isdigit() and fields[0] == "Z" and int(fields[1]) == os.getpid():
                found.append(int(entry.name))
    return found


def open_files() -> int:
    """Return how many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def nothing_left(below: Path) -> None:
    """Assert that no process, no zombie and no file of any run is there."""
    assert those_of(below) == []
    assert zombies() == []
    assert list(below.iterdir()) == []
