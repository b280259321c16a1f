"""The requests of sessions that run in this process, by the ids their clients gave them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from trunkline_router.model import Json, RequestId
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.replica import Replica
from trunkline_router.wire.answer import Answer

Work = Callable[[], Awaitable[Answer]]
Done = Callable[[Answer | None], None]
_CANCELLED = "cancelled"
_LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """Runs requests, and cancels them for whoever says so, also at another replica.

    A client that gives one id to several of its requests means all of them by it.
    """

    background: Background
    replica: Replica
    _running: dict[tuple[str, RequestId], "set[asyncio.Task[None]]"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.replica.hears(_CANCELLED, self._heard_cancelled)
        self.replica.hears(_LEFT, self._heard_left)

    def start(self, nonce: str, request: RequestId, work: Work, done: Done) -> None:
        """Run a request; `done` has its answer, or None when it was cancelled."""
        key, answers = (nonce, request), list[Answer]()
        task = self.background.started(_run(work, answers))
        self._running.setdefault(key, set()).add(task)

        def ended(ended: "asyncio.Task[None]") -> None:
            # Not at the end of the task's own work: one that is cancelled early never begins it.
            self._forget(key, ended)
            done(answers[0] if answers else None)

        task.add_done_callback(ended)

    async def cancel(self, nonce: str, request: object) -> None:
        """Cancel a request, wherever it runs; one that is not known is none of ours."""
        if not isinstance(request, int | str) or self.cancel_here(nonce, request):
            return
        content: Json = {"nonce": nonce, "request": request}
        await self.replica.try_to_tell(None, _CANCELLED, content)

    def cancel_here(self, nonce: str, request: object) -> bool:
        """Cancel a request if it runs in this process, and say whether it did."""
        if isinstance(request, bool) or not isinstance(request, int | str):
            return False
        tasks = self._running.get((nonce, request), ())
        for task in tasks:
            task.cancel()
        return bool(tasks)

    def drop(self, nonce: str) -> None:
        """Cancel all that runs of a session in this process."""
        for task in self._of(nonce):
            task.cancel()

    async def leave(self, nonce: str) -> None:
        """Cancel all that runs of a session, everywhere."""
        self.drop(nonce)
        await self.replica.try_to_tell(None, _LEFT, {"nonce": nonce})

    async def finished(self, nonce: str) -> None:
        """Wait until nothing runs here of a session."""
        while tasks := self._of(nonce):
            await asyncio.wait(tasks)

    def _heard_cancelled(self, content: Json) -> None:
        nonce, request = content["nonce"], content["request"]
        if isinstance(nonce, str) and isinstance(request, int | str):
            self.cancel_here(nonce, request)

    def _heard_left(self, content: Json) -> None:
        self.drop(str(content["nonce"]))

    def _of(self, nonce: str) -> "list[asyncio.Task[None]]":
        return [task for (of, _), tasks in self._running.items() if of == nonce for task in tasks]

    def _forget(self, key: tuple[str, RequestId], ended: "asyncio.Task[None]") -> None:
        tasks = self._running[key]
        tasks.discard(ended)
        if not tasks:
            del self._running[key]


async def _run(work: Work, answers: list[Answer]) -> None:
    answers.append(await work())
