"""The ci-status server as a process of its own."""

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.interaction.ci_logs import TOKEN, World
from tests.interaction.trunkline_process import environment
from trunkline_shared.testing.loopback import free_socket


@dataclass(frozen=True, kw_only=True)
class Service:
    """The process, where it serves, and what it has said so far."""

    process: Process
    url: str
    said: list[str] = field(default_factory=list)
    serving: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Keep what it says, until it ends."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode():
            self.said.append(line)
            if "Uvicorn running" in line:
                self.serving.set()

    def most_memory(self) -> int:
        """Return the most memory that it ever held, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024


@asynccontextmanager
async def process_of(
    ci: World, home: Path, given: Mapping[str, str] | None = None
) -> AsyncIterator[Service]:
    """Run the server before the world's GitHub, saying all that it can; it is ended in the end."""
    with free_socket() as probe:
        port = probe.getsockname()[1]
    env = environment(home) | {
        "GITHUB_TOKEN": TOKEN,
        "TRUNKLINE_GITHUB_API_URL": ci.github.url,
        "TRUNKLINE_SERVICE_PORT": str(port),
        "TRUNKLINE_LOG_LEVEL": "DEBUG",
        **(given or {}),
    }
    command = (sys.executable, "-m", "trunkline_ci_status")
    process = await asyncio.create_subprocess_exec(
        *command, env=env, cwd=home, stdout=PIPE, stderr=STDOUT
    )
    service = Service(process=process, url=f"http://127.0.0.1:{port}/mcp")
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(service.listen())
        try:
            await service.serving.wait()
            yield service
        finally:
            process.terminate()
            await process.wait()
