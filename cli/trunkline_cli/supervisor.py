"""Keeping the process that hosts the servers alive, from the router's process."""

import asyncio
import itertools
import logging
import os
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from trunkline_cli.backoff import Backoff
from trunkline_cli.failure import MISCONFIGURED, USAGE, CommandFailed
from trunkline_cli.host_report import HostReport, hearing
from trunkline_shared.clock import Clock, SystemClock

log = logging.getLogger(__name__)

# Two seconds are the servers' own grace period; the whole mesh has three.
GRACE_S = 2.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A server's place in the host: the module that holds its SERVICE, and where it listens."""

    module: str
    on: socket.socket


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPlan:
    """What the host process gets: a place for each server by its id, and its environment.

    `stand_ins` are the vendors that the demo serves, each on its socket.
    """

    servers: Mapping[str, Place]
    environment: Mapping[str, str]
    stand_ins: Mapping[str, socket.socket] = field(default_factory=dict)

    def command(self, lifeline: int, report: int) -> list[str]:
        words = ["--lifeline", str(lifeline), "--report", str(report)]
        for name, place in self.servers.items():
            words += ["--server", f"{name}={place.module}={place.on.fileno()}"]
        for name, on in self.stand_ins.items():
            words += ["--stand-in", f"{name}={on.fileno()}"]
        # -P: what lies in the current directory must not pass for a module of ours.
        return [sys.executable, "-P", "-m", "trunkline_cli.host", *words]

    def descriptors(self) -> list[int]:
        sockets = [place.on for place in self.servers.values()]
        return [on.fileno() for on in (*sockets, *self.stand_ins.values())]


@dataclass(slots=True, kw_only=True)
class Supervisor:
    """Starts the host process and starts it again, with a growing pause, when it ends.

    `report` is what the host has told, as soon as it has.
    The listening sockets stay open in this process, so the servers' URLs outlive the host.
    """

    plan: HostPlan
    clock: Clock = field(default_factory=SystemClock)
    started: asyncio.Event = field(default_factory=asyncio.Event)
    pid: int | None = None
    report: HostReport = field(default_factory=HostReport)

    @property
    def repository(self) -> str:
        return self.report.repository

    async def keep_alive(self) -> None:
        """Run until cancelled; then end the host within GRACE_S.

        Raises CommandFailed when the very first host refuses its configuration: it would refuse
        it again.
        """
        backoff = Backoff(clock=self.clock)
        for number in itertools.count():
            backoff.begin()
            code = await self._run_host()
            if code == MISCONFIGURED and number == 0:
                raise CommandFailed("the servers cannot run with these variables.", USAGE)
            pause = backoff.pause()
            log.warning(
                "the process of the servers ended (%s); it starts again in %g s",
                _ending(code),
                pause,
            )
            await self.clock.sleep(pause)

    def kill(self) -> None:
        """End the host at once."""
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    async def _run_host(self) -> int:
        reading_end, writing_end = os.pipe()
        heard, report = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                *self.plan.command(reading_end, report),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=sys.stderr,
                env=dict(self.plan.environment),
                pass_fds=[reading_end, report, *self.plan.descriptors()],
                start_new_session=True,
            )
        except BaseException:
            os.close(writing_end)
            os.close(heard)
            raise
        finally:
            os.close(reading_end)
            os.close(report)
        self.pid = process.pid
        self.started.set()
        try:
            with hearing(heard, self._hear):
                return await process.wait()
        finally:
            os.close(writing_end)
            await _ended(process)
            self.pid = None

    def _hear(self, report: HostReport) -> None:
        self.report = replace(report, repository=report.repository or self.repository)


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait for a process whose lifeline has been cut, and kill it when it takes too long."""
    try:
        async with asyncio.timeout(GRACE_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
