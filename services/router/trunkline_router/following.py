"""Work that goes on for each server, as long as the fleet has it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Never

from trunkline_router.fleet import Fleet, Member
from trunkline_shared import wire

_AGAIN_S = 5.0


async def for_each_member(
    fleet: Fleet, work: Callable[[str], Awaitable[None]], *, again_s: float = _AGAIN_S
) -> Never:
    """Run `work` once for each member, until cancelled.

    It is cancelled for a member that has gone, before anything of it runs again, and begun anew
    for one whose entry has changed. Where it fails it is begun anew after `again_s` seconds.
    """
    async with asyncio.TaskGroup() as tasks:
        with fleet.followed_by(_Following(tasks=tasks, work=work, again_s=again_s).adopt):
            await asyncio.get_running_loop().create_future()
    raise AssertionError("nothing ends it but a cancellation")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Following:
    tasks: asyncio.TaskGroup
    work: Callable[[str], Awaitable[None]]
    again_s: float
    running: dict[str, tuple[Member, asyncio.Task[None]]] = field(default_factory=dict)

    def adopt(self, members: Mapping[str, Member]) -> None:
        for server, (member, task) in list(self.running.items()):
            if members.get(server) is not member:
                task.cancel()
                del self.running[server]
        for server, member in members.items():
            if server not in self.running:
                self.running[server] = (member, self.tasks.create_task(self._run(server)))

    async def _run(self, server: str) -> None:
        while True:
            try:
                return await self.work(server)
            except Exception as bug:  # noqa: BLE001 - no server, however odd, may end the router
                wire.unexpected(bug, doing=f"looking after {server}")
            await asyncio.sleep(self.again_s)
