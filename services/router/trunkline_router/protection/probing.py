"""Finding out whether a server that could not be reached is back, without a caller's call."""

import asyncio
from dataclasses import dataclass, field

from trunkline_router.ports import Upstream
from trunkline_router.protection.breakers import Breakers
from trunkline_router.protection.sharing import Sharing
from trunkline_router.wire.refusal import Refused
from trunkline_shared import wire
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError

_FIRST_S = 1.0
_LONGEST_S = 8.0
_ANSWER_S = 5.0
_SHARE = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class Probing:
    """Asks `server/discover` after 1, 2, 4, 8, 8 … s; one router asks for all of them.

    So each is found again within 10 s of its return.
    """

    upstream: Upstream
    breakers: Breakers
    sharing: Sharing
    clock: Clock
    _opened: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)
    _asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.breakers.on_open.append(self._opened.put_nowait)

    async def run(self) -> None:
        """Look after the servers whose breakers open, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            while True:
                server = await self._opened.get()
                if server not in self._asked and self.breakers.is_cut_off(server):
                    self._asked.add(server)
                    tasks.create_task(self._until_back(server))

    async def _until_back(self, server: str) -> None:
        pause = _FIRST_S
        try:
            while self.breakers.is_cut_off(server):
                await self.clock.sleep(pause)
                if await self._is_back(server, pause) and self.breakers.is_cut_off(server):
                    self.breakers.reset(server)
                pause = min(pause * 2, _LONGEST_S)
        finally:
            self._asked.discard(server)

    async def _is_back(self, server: str, pause: float) -> bool:
        if not await self.sharing.claim(f"discover:{server}", pause * _SHARE):
            return False
        try:
            async with asyncio.timeout(_ANSWER_S):
                await self.upstream.ask(server, "server/discover", {})
        except (TimeoutError, TrunklineError):
            return False
        except Refused:
            return True
        except Exception as bug:  # noqa: BLE001 - no server, however odd, may end the router
            wire.unexpected(bug, doing=f"asking {server}")
            return False
        return True
