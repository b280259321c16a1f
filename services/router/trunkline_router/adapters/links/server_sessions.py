"""The sessions at one server: one for each caller and what it can be asked, never too many."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field

from trunkline_router.adapters.links.client import Client
from trunkline_router.adapters.links.connection import Connector
from trunkline_router.adapters.links.link_tasks import LinkTasks, joined
from trunkline_router.adapters.links.server_session import ServerSession, open_session
from trunkline_router.link import SessionEnd
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Overloaded, TrunklineError, UpstreamTimeout


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTerms:
    """How many sessions a server gets, and how long one may be idle; seconds."""

    most: int = 256
    idle_s: float = 300.0
    open_s: float = 15.0


@dataclass(slots=True, kw_only=True)
class ServerSessions:
    """Opens sessions when they are needed, and ends those that nobody has used for a while.

    `ends` are told of each that has ended.
    """

    server: str
    connector: Connector
    clock: Clock
    terms: SessionTerms
    background: LinkTasks
    opened: Callable[
        [Connector, str, Client, LinkTasks], Coroutine[object, object, ServerSession]
    ] = open_session
    ends: Sequence[Callable[[SessionEnd], object]] = ()
    _held: dict[str, ServerSession] = field(default_factory=dict)
    _opening: dict[str, "asyncio.Task[ServerSession]"] = field(default_factory=dict)
    _tidying: "asyncio.Task[None] | None" = None

    async def of(self, client: Client) -> ServerSession:
        """Return the session of a caller. Raises what opening it raises, and Overloaded."""
        held = self._held.get(client.key)
        if held is None or held.lost is not None:
            held = await self._opened(client)
        held.used = self.clock.monotonic()
        return held

    def adopt(self, client: Client, session: ServerSession) -> None:
        """Take over a session that has been opened elsewhere."""
        session.began = session.used = self.clock.monotonic()
        self._held[client.key] = session
        if self._tidying is None:
            self._tidying = self.background.start(self._tidy())

    def lose(self, session: ServerSession) -> None:
        """Forget a session that cannot be used any more."""
        known = [key for key, held in self._held.items() if held is session]
        for key in known:
            del self._held[key]
        if known:
            self._tell(session)
        self.background.spawn(session.close())

    async def close(self) -> None:
        """End all of them."""
        held, self._held = list(self._held.values()), {}
        for session in held:
            self._tell(session)
        if held:
            async with asyncio.TaskGroup() as tasks:
                for session in held:
                    tasks.create_task(session.close())

    def _tell(self, session: ServerSession) -> None:
        if session.modern:
            # What 2026-07-28 speaks over pipes is no session in its own words.
            return
        end = SessionEnd(
            server=self.server,
            version=str(session.initialized.get("protocolVersion", "")),
            seconds=self.clock.monotonic() - session.began,
            piped=self.connector.url.scheme == "stdio",
            error="" if session.lost is None else _name_of(session.lost),
        )
        for tell in self.ends:
            tell(end)

    async def _opened(self, client: Client) -> ServerSession:
        opening = self._opening.get(client.key)
        if opening is None:
            await self._make_room()
            opening = self.background.start(self._open(client))
            self._opening[client.key] = opening
        return await joined(opening)

    async def _open(self, client: Client) -> ServerSession:
        try:
            async with asyncio.timeout(self.terms.open_s):
                session = await self.opened(self.connector, self.server, client, self.background)
        except TimeoutError:
            raise UpstreamTimeout(
                f"Server {self.server!r} did not finish its handshake in {self.terms.open_s:g} s."
            ) from None
        finally:
            self._opening.pop(client.key, None)
        self.adopt(client, session)
        return session

    async def _make_room(self) -> None:
        if len(self._held) + len(self._opening) < self.terms.most:
            return
        idle = [session for session in self._held.values() if not session.busy]
        if not idle:
            raise Overloaded(
                f"Server {self.server!r} has {self.terms.most} sessions, and all are in use.",
                hint="Call again shortly.",
            )
        self.lose(min(idle, key=lambda session: session.used))

    async def _tidy(self) -> None:
        while True:
            await self.clock.sleep(self.terms.idle_s / 5)
            before = self.clock.monotonic() - self.terms.idle_s
            for session in tuple(self._held.values()):
                if session.lost is not None or (not session.busy and session.used <= before):
                    self.lose(session)


def _name_of(error: Exception) -> str:
    return error.code.lower() if isinstance(error, TrunklineError) else type(error).__name__
