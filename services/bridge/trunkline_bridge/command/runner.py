"""Answers a query by running a command, such as `claude`."""

import asyncio
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
from mcp_types import InputRequiredResult

from trunkline_bridge.command import failures
from trunkline_bridge.command.arguments import arguments
from trunkline_bridge.command.environment import CommandEnvironment
from trunkline_bridge.command.output import OUT_CAP, Flooded, Output
from trunkline_bridge.command.process import Command, started
from trunkline_bridge.command.schema import is_wrapped, unwrapped
from trunkline_bridge.command.stream import Result, message_of
from trunkline_bridge.command.transcript import Transcript
from trunkline_bridge.command.unbroken import unbroken
from trunkline_bridge.command.workplace import Workplace
from trunkline_bridge.query.runner import Answer, Asker, Query, Turn
from trunkline_shared.clock import Clock
from trunkline_shared.errors import Unsupported
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.untrusted import sanitize

_SUCCESS: Final = "success"
_JSON_ALONE: Final = (
    "\n\nYour last answer must be one JSON value and nothing else, no prose around it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRunner:
    """Runs the words of a setting, without a shell, followed by the arguments of `claude -p`.

    What a run writes is kept `below` a folder, the machine's own for temporary files if None.
    """

    words: tuple[str, ...]
    environment: CommandEnvironment
    clock: Clock
    below: Path | None = None
    out_cap: int = OUT_CAP

    @classmethod
    def of(
        cls, setting: str, clock: Clock, environment: CommandEnvironment | None = None
    ) -> "CommandRunner":
        """Return the runner that a setting names. Raises ValueError for quotes that stay open."""
        words = tuple(shlex.split(setting))
        return cls(words=words, environment=environment or CommandEnvironment(), clock=clock)

    def can(self, asker: Asker) -> str | None:  # noqa: ARG002 - a command serves everybody
        """Return None if the command is there, else what is lacking."""
        if self._found() is None:
            return f"the command {self._word!r} is not on the PATH of the bridge"
        return None

    async def run(
        self,
        query: Query,
        mesh: Entrance,
        asker: Asker,  # noqa: ARG002 - a command serves everybody alike
        on_turn: Turn,
    ) -> Answer | InputRequiredResult:
        """Run the command to its result; nothing of it is left, however this ends.

        Raises Unsupported, UpstreamTimeout, TooLarge for output beyond its cap, InvalidInput for
        too few turns, CredentialsMissing, AuthError, RateLimited, NetworkError and
        UpstreamUnavailable for a model or a command that failed.
        """
        so_far = Transcript(servers=query.servers, clock=self.clock)
        output = Output(self.out_cap)
        time = asyncio.timeout(query.timeout_s)
        try:
            async with time:
                code = await self._placed(query, mesh, _Heard(output, so_far, on_turn))
        except TimeoutError:
            if not time.expired():
                raise
            raise failures.out_of_time(query, so_far) from None
        except Flooded:
            raise failures.flooded(so_far) from None
        result = so_far.result
        if result is None or result.is_error or result.subtype != _SUCCESS:
            raise failures.unanswered(query, so_far, code, output.complained)
        return _answer(query, so_far, result)

    async def _placed(self, query: Query, mesh: Entrance, heard: "_Heard") -> int | None:
        try:
            place = Workplace.made(_prompt(query), query.servers, mesh, self.below)
        except OSError as error:
            raise failures.not_started(self._word, error) from None
        try:
            with place.prompt() as prompt:
                command = Command(
                    argv=(*self._argv(), *arguments(query, place.mcp_config)),
                    environment=self.environment.of_run(place.homes, mesh.url),
                    directory=place.work,
                    folder=place.folder,
                    prompt=prompt,
                )
                return await self._ran(command, heard)
        finally:
            await unbroken(asyncio.to_thread(place.remove))

    async def _ran(self, command: Command, heard: "_Heard") -> int | None:
        try:
            process = await started(command, heard.output)
        except OSError as error:
            raise failures.not_started(self._word, error) from None
        try:
            await heard.all()
        finally:
            await process.end()
        return process.code

    def _argv(self) -> tuple[str, ...]:
        found = self._found()
        if found is None:
            raise Unsupported(f"The runner {self._word!r} is not on the PATH of the bridge.")
        return (found, *self.words[1:])

    def _found(self) -> str | None:
        return shutil.which(self._word, path=self.environment.path)

    @property
    def _word(self) -> str:
        return self.words[0] if self.words else ""


@dataclass(frozen=True, slots=True)
class _Heard:
    """Listens to a command until it has said what came of it."""

    output: Output
    so_far: Transcript
    on_turn: Turn

    async def all(self) -> None:
        """Hear it to its result, or to its end. Raises Flooded."""
        while self.so_far.result is None:
            line = await self.output.line()
            if line is None:
                return
            message = message_of(line)
            happening = None if message is None else self.so_far.add(message)
            if happening is not None:
                await self.on_turn(self.so_far.turns, happening)


def _prompt(query: Query) -> str:
    wants_more = query.wants_json and query.schema is None
    return query.prompt + (_JSON_ALONE if wants_more else "")


def _answer(query: Query, so_far: Transcript, result: Result) -> Answer:
    text, structured = result.result or "", result.structured_output
    if is_wrapped(query.schema) and structured is not None:
        structured = unwrapped(structured)
        text = orjson.dumps(structured).decode()
    return Answer(
        text=sanitize(text),
        turns=so_far.turns,
        tool_calls=so_far.all_calls,
        structured=structured,
    )
