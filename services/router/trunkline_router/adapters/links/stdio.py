"""A session with a child process: a JSON-RPC message on each line of its standard streams.

Spec 2025-11-25 and 2026-07-28, "Transports", stdio.
"""

import logging
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from yarl import URL

from trunkline_router.adapters.links.child import Child, Command
from trunkline_router.adapters.links.child_log import ChildLog
from trunkline_router.adapters.links.connection import Deliver
from trunkline_router.adapters.links.encoding import encoded
from trunkline_router.adapters.links.link_tasks import LinkTasks
from trunkline_router.adapters.links.pending import Pending
from trunkline_router.adapters.links.restarts import Restarts
from trunkline_router.model import Json
from trunkline_shared.clock import Clock
from trunkline_shared.errors import NetworkError, UpstreamUnavailable

log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True, eq=False)
class StdioConnection:
    """One child's streams; whatever is no message on them is logged and ignored."""

    server: str
    child: Child
    deliver: Deliver
    hears: bool = True
    closing: bool = False

    async def carry(self, message: Json, pending: Pending, headers: Mapping[str, str]) -> None:  # noqa: ARG002 - this wire has no headers
        await self.send(message)
        await pending.over()

    async def send(self, message: Json) -> None:
        try:
            await self.child.write(encoded(message) + b"\n")
        except ConnectionError:
            raise NetworkError(f"The process of server {self.server!r} reads nothing.") from None

    async def ready(self, version: str) -> None:  # noqa: ARG002 - this wire sends no version
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def close(self) -> None:
        self.closing = True
        await self.child.close()

    def line(self, raw: bytes) -> None:
        """Take a line of the child's output."""
        if not raw.strip():
            return
        try:
            message = orjson.loads(raw)
        except orjson.JSONDecodeError:
            message = None
        for each in message if isinstance(message, list) else [message]:
            if isinstance(each, dict) and each.get("jsonrpc") == "2.0":
                self.deliver(each, None)
            else:
                self.child.log.line(raw, "stdout, which is no MCP")


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioConnector:
    """Starts children, and waits longer and longer before it starts one that keeps ending.

    `env` is what each child gets; its values are hidden in the log where `secrets` says so.
    """

    server: str
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    secrets: Mapping[str, str] = field(repr=False)
    cwd: str | None
    longest: int
    clock: Clock
    background: LinkTasks
    restarts: Restarts

    @property
    def url(self) -> URL:
        return URL.build(scheme="stdio", path=self.argv[0])

    async def connect(self, deliver: Deliver, lost: Callable[[Exception], None]) -> StdioConnection:
        await self.restarts.turn(self.server)
        command = self._command()
        child_log = ChildLog(self.server, self.clock, self.secrets.values())
        try:
            child = await Child.started(command, child_log, self.background)
        except OSError as error:
            raise self._unstartable(f"cannot be started ({error.strerror})") from None
        self.restarts.begun()
        connection = StdioConnection(server=self.server, child=child, deliver=deliver)

        def ended(how: str) -> None:
            if not connection.closing:
                pause = self.restarts.ended(how)
                log.warning("%s ended (%s); it may start again in %g s", self.server, how, pause)
            lost(NetworkError(f"The process of server {self.server!r} ended ({how})."))

        child.watch(self.longest, connection.line, ended)
        return connection

    def _command(self) -> Command:
        env = {**self.env, **self.secrets}
        if self.cwd is not None and not Path(self.cwd).is_dir():
            raise self._unstartable(f"cannot be started: there is no directory {self.cwd!r}")
        if shutil.which(self.argv[0], path=env.get("PATH")) is None and "/" not in self.argv[0]:
            raise self._unstartable(
                f"cannot be started: there is no command {self.argv[0]!r} on the router's PATH"
            )
        return Command(argv=self.argv, env=env, cwd=self.cwd)

    def _unstartable(self, why: str) -> UpstreamUnavailable:
        return UpstreamUnavailable(
            f"Server {self.server!r} {why}.",
            hint=f"Whoever runs the mesh mends servers.{self.server}.command in trunkline.yaml.",
        )
