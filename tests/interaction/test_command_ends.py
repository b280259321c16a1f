"""However a run ends, nothing of it is left: no process, no zombie, no file, nothing open."""

import asyncio
import gc
import os
import random
import select
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.from_registries import ROOT
from tests.interaction.commanding import (
    ASKER,
    MESH,
    Step,
    Turns,
    alive,
    noted,
    nothing_left,
    open_files,
    query,
    result,
    run,
    runner,
    turn,
)
from trunkline_bridge.command.runner import CommandRunner
from trunkline_bridge.query.runner import Query
from trunkline_shared.errors import TrunklineError, UpstreamTimeout, UpstreamUnavailable

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for what is left in /proc"),
]

RUNS = 200
AT_A_TIME = 10
CAP = 300_000
BRIDGE = """
import asyncio, sys
from pathlib import Path
from tests.interaction.commanding import ASKER, MESH, runner, query
from dataclasses import replace

async def heard(number, what):
    print(number, flush=True)

async def main():
    asked = replace(query(), prompt=sys.argv[2])
    await runner(Path(sys.argv[1])).run(asked, MESH, ASKER, heard)

asyncio.run(main())
"""


def company(notes: Path) -> list[Step]:
    """Return the steps that leave processes behind in every way, and files."""
    path = str(notes)
    return [("note", path), ("fork", path), ("escape", path), ("litter",)]


async def let_reach(turns: Turns) -> None:
    async with asyncio.timeout(20):
        await turns.reached.wait()


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_an_answered_run_takes_its_company_along(tmp_path: Path) -> None:
    """What a command has left running ends with it, in whatever session, and so do its files."""
    notes, below = tmp_path / "notes", tmp_path / "below"
    below.mkdir()
    asked = query(*company(notes), ("deaf",), turn(1), result(), ("hang",))
    assert (await run(runner(below), asked)).text == "done"
    assert len(noted(notes)) == 3
    assert alive(noted(notes)) == []
    nothing_left(below)


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_a_run_out_of_time_is_killed_with_all_that_ignores_its_end(tmp_path: Path) -> None:
    """Whoever is deaf to SIGTERM is killed after a grace."""
    notes, below = tmp_path / "notes", tmp_path / "below"
    below.mkdir()
    asked = query(*company(notes), ("deaf",), turn(1), ("hang",), timeout_s=1.0)
    with pytest.raises(UpstreamTimeout):
        await run(runner(below), asked)
    assert alive(noted(notes)) == []
    nothing_left(below)


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_cancelling_again_and_again_hurries_nothing(tmp_path: Path) -> None:
    """The end is waited for by whoever is impatient, too."""
    notes, below = tmp_path / "notes", tmp_path / "below"
    below.mkdir()
    turns = Turns()
    asked = query(*company(notes), ("deaf",), turn(1), ("hang",))
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(run(runner(below), asked, turns))
        await let_reach(turns)
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=0.05)
        assert alive(noted(notes)) == []
        nothing_left(below)


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_a_warden_that_is_killed_is_avenged(tmp_path: Path) -> None:
    """Its command dies with it, and the group after it."""
    notes, below = tmp_path / "notes", tmp_path / "below"
    below.mkdir()
    turns = Turns()
    path = str(notes)
    asked = query(("note", path), ("fork", path), ("litter",), turn(1), ("hang",))
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(failing(runner(below), asked, turns))
        await let_reach(turns)
        os.kill(os.getpgid(noted(notes)[0]), signal.SIGKILL)
        assert await task is UpstreamUnavailable
    await gone(noted(notes))
    nothing_left(below)


@pytest.mark.requirement("bridge.command-leaves-nothing")
async def test_a_bridge_that_is_killed_takes_its_commands_along(tmp_path: Path) -> None:
    """The lifeline breaks, however the bridge ends: the warden clears all away by itself."""
    notes, below = tmp_path / "notes", tmp_path / "below"
    below.mkdir()
    asked = query(*company(notes), ("deaf",), turn(1), ("hang",))
    bridge = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", BRIDGE, str(below), asked.prompt),
        cwd=ROOT,
        stdout=PIPE,
    )
    assert bridge.stdout is not None
    async with asyncio.timeout(20):
        assert await bridge.stdout.readline() == b"1\n"
    warden = os.getpgid(noted(notes)[0])
    bridge.kill()
    await bridge.wait()
    await gone([*noted(notes), warden])
    nothing_left(below)


@pytest.mark.requirement("bridge.command-leaves-nothing")
@pytest.mark.timeout(180)
@pytest.mark.parametrize("seed", [20261123])
async def test_two_hundred_runs_with_random_ends_leave_nothing(tmp_path: Path, seed: int) -> None:
    """Kills, timeouts, cancellations, floods and deaths at random moments, several at a time."""
    below = tmp_path / "below"
    below.mkdir()
    chance = random.Random(seed)  # noqa: S311 - the same ends in each run of the test
    room = asyncio.Semaphore(AT_A_TIME)
    await one_run(below, tmp_path / "first", random.Random(seed), room)  # noqa: S311 - likewise
    before, tasks_before = open_files(), len(asyncio.all_tasks())
    async with asyncio.TaskGroup() as tasks:
        for number in range(RUNS):
            own = random.Random(chance.random())  # noqa: S311 - likewise
            tasks.create_task(one_run(below, tmp_path / f"notes-{number}", own, room))
    left = all_noted(tmp_path)
    assert len(left) > RUNS
    await gone(left)
    nothing_left(below)
    gc.collect()
    assert open_files() <= before
    assert len(asyncio.all_tasks()) == tasks_before


def all_noted(folder: Path) -> list[int]:
    return [process for path in folder.glob("notes-*") for process in noted(path)]


async def one_run(below: Path, notes: Path, chance: random.Random, room: asyncio.Semaphore) -> None:
    """Begin a run with some company, and have it end somehow."""
    end = chance.choice(ENDS)
    company_kept = chance.sample(company(notes)[1:], chance.randint(0, 3))
    if end == "warden":
        # Whoever has left the group outlives a warden that is killed, which is no end of ours.
        company_kept = [step for step in company_kept if step[0] != "escape"]
    deaf: list[Step] = [("deaf",)] if chance.random() < 0.3 else []
    last = LAST.get(end, ("hang",))
    asked = query(
        *(("note", str(notes)), *company_kept, *deaf, turn(1), last, ("hang",)),
        timeout_s=chance.uniform(0.05, 0.8) if end == "time" else 40,
    )
    async with room:
        turns = Turns()
        running = runner(below, out_cap=CAP).run(asked, MESH, ASKER, turns)
        await OUTSIDE.get(end, awaited)(running, turns, notes, chance)


Running = Coroutine[Any, Any, object]


async def awaited(running: Running, turns: Turns, notes: Path, chance: random.Random) -> None:
    """Let it end by itself."""
    with suppress(TrunklineError):
        await running


async def cut_early(running: Running, turns: Turns, notes: Path, chance: random.Random) -> None:
    """Cancel it at any moment, while it starts most of the time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(chance.uniform(0, 0.3)):
            await running


async def cancelled(running: Running, turns: Turns, notes: Path, chance: random.Random) -> None:
    """Cancel it when all that it starts is there."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(awaited(running, turns, notes, chance))
        await let_reach(turns)
        task.cancel()


async def killed(running: Running, turns: Turns, notes: Path, chance: random.Random) -> None:
    """Kill any one of its processes, and then let it end as if nobody had noticed."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(awaited(running, turns, notes, chance))
        await let_reach(turns)
        with suppress(ProcessLookupError):
            os.kill(chance.choice(noted(notes)), signal.SIGKILL)
        task.cancel()


async def orphaned(running: Running, turns: Turns, notes: Path, chance: random.Random) -> None:
    """Kill the warden."""
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(awaited(running, turns, notes, chance))
        await let_reach(turns)
        os.kill(os.getpgid(noted(notes)[0]), signal.SIGKILL)


LAST: dict[str, Step] = {
    "answer": result(),
    "die": ("die",),
    "exit": ("exit", "3"),
    "flood": ("flood",),
}
OUTSIDE = {"early": cut_early, "cancel": cancelled, "kill": killed, "warden": orphaned}
ENDS = sorted({*LAST, *OUTSIDE, "time"})


async def failing(of: CommandRunner, asked: Query, turns: Turns) -> type[BaseException]:
    """Return the kind of failure that a run ends with."""
    with pytest.raises(TrunklineError) as caught:
        await run(of, asked, turns)
    return type(caught.value)


async def gone(processes: list[int]) -> None:
    """Wait for the end of processes, wherever they belong."""
    left = await asyncio.to_thread(lambda: [each for each in processes if _goes_on(each)])
    assert left == []


def _goes_on(process: int) -> bool:
    """Wait for an end; says whether it does not come."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return False
    try:
        return not select.select([handle], [], [], 10)[0]
    finally:
        os.close(handle)
