"""Running a prepared mesh: the host process, the router and the command's own work, as one."""

import asyncio
import importlib
import os
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeVar

import uvloop

from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_cli.host_report import HostReport
from trunkline_cli.mesh import Mesh
from trunkline_cli.supervisor import Supervisor
from trunkline_cli.version import installed_version
from trunkline_shared.launch import importing
from trunkline_shared.settings import ConfigurationError

ErrorT = TypeVar("ErrorT", bound=BaseException)

PATIENCE_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What a command does with the mesh.

    `work` begins when the mesh is ready and ends it; it is given what the host has reported.
    `wait` is told when that takes long.
    """

    work: Callable[[HostReport], Coroutine[Any, Any, None]]
    wait: Callable[[], Coroutine[Any, Any, None]] | None = None


def run_mesh(mesh: Mesh, job: Job) -> None:
    """Run the mesh with a command's job, until the first part of it ends or a signal comes.

    Raises CommandFailed.
    """
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_run(mesh, job))
    except* BrokenPipeError:
        # Whoever read our output has gone: that is an end like any other.
        pass
    except* ConfigurationError as errors:
        raise CommandFailed(str(_first(errors)), USAGE) from None
    except* CommandFailed as errors:
        raise _first(errors) from None
    finally:
        _telemetry().flush()


def _telemetry() -> ModuleType:
    """Import what logs and traces, which the servers' process need not wait for to be started."""
    return importlib.import_module("trunkline_shared.telemetry")


def _first(errors: BaseExceptionGroup[ErrorT]) -> ErrorT:
    """Return the first failure inside a group, however deep the tasks were nested."""
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


async def _run(mesh: Mesh, job: Job) -> None:
    supervisor = Supervisor(plan=mesh.plan)
    ready = asyncio.Event()
    together = Together(kill=supervisor.kill)
    async with asyncio.TaskGroup() as tasks:
        together.join(tasks.create_task(supervisor.keep_alive()))
        together.join(tasks.create_task(route(mesh, supervisor, ready)))
        together.join(tasks.create_task(_work(job, supervisor, ready)))
        together.obey_signals()


async def route(mesh: Mesh, supervisor: Supervisor, ready: asyncio.Event) -> None:
    """Run the router once the host process has been started, until cancelled."""
    # Who has connected to a router that never came to accept it is hung up on at its end: this
    # process itself may be one of them, and would wait.
    with mesh.on:
        # The host starts first, so that both processes import what they need at the same time.
        await supervisor.started.wait()
        with importing():
            telemetry = _telemetry()
            router = importlib.import_module("trunkline_router.app")
        telemetry.set_up("router", installed_version(), level_unless_set=mesh.log_level)
        await router.run(
            mesh.settings, on=mesh.on, ready=ready.set, repository=lambda: supervisor.repository
        )


async def _work(job: Job, supervisor: Supervisor, ready: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await ready.wait()
    except TimeoutError:
        if job.wait is not None:
            await job.wait()
    await ready.wait()
    await job.work(supervisor.report)


@dataclass(slots=True, kw_only=True)
class Together:
    """Tasks of which none outlives another: the first that ends, or a signal, ends them all."""

    kill: Callable[[], None]
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _ending: bool = False

    def join(self, task: asyncio.Task[None]) -> None:
        self._tasks.append(task)
        task.add_done_callback(lambda _: self.end())

    def end(self) -> None:
        """Cancel every task, once: a second cancellation would cut short what they clean up."""
        if not self._ending:
            self._ending = True
            for task in self._tasks:
                task.cancel()

    def obey_signals(self) -> None:
        """End on SIGINT and SIGTERM; on the second one at once, with nothing cleaned up."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._on_signal)

    def _on_signal(self) -> None:
        if self._ending:
            self.kill()
            os._exit(128 + signal.SIGINT)
        self.end()
