"""Clients that others wrote, each a process of its own, before and after a restart of the router.

A script of tests/clients takes the URL and the ways to speak, and connects one client for each way.
For each line that it is given it looks at the sample server with all of them, and prints what they
saw as one JSON object.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

from pydantic import BaseModel, ConfigDict, TypeAdapter

from tests.interaction.mesh import sample_server
from tests.interaction.restarting import restartable
from trunkline_shared.testing.serving import serving

TURN_S = 30


class Seen(BaseModel):
    """What every client reads: the list, a result, three kinds of error, a resource."""

    model_config = ConfigDict(extra="forbid")

    version: str
    tools: list[str]
    structured: dict[str, object]
    failed: str
    wrong: str
    refused: str
    resource: str


_ALL_SEEN = TypeAdapter(dict[str, Seen])


class Talk:
    """A script under way."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def look(self) -> Mapping[str, Seen]:
        """Let it look once more, with the client objects that it has."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(b"\n")
        await stdin.drain()
        async with asyncio.timeout(TURN_S):
            line = await stdout.readline()
            if not line:
                _, told = await self._process.communicate(b"")
                raise AssertionError(told.decode()[-4000:])
        return _ALL_SEEN.validate_json(line)

    async def end(self) -> None:
        """Let it close what it has open."""
        async with asyncio.timeout(TURN_S):
            _, told = await self._process.communicate(b"")
        assert self._process.returncode == 0, told.decode()[-4000:]


@asynccontextmanager
async def talking(command: Sequence[str], url: str, ways: Iterable[str]) -> AsyncIterator[Talk]:
    """Run a script, and end it."""
    process = await asyncio.create_subprocess_exec(
        *(*command, f"{url}/mcp", *ways),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        script = Talk(process)
        yield script
        await script.end()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def look_twice(command: Sequence[str], versions: Mapping[str, str]) -> None:
    """Assert that each way sees all in its revision, before and after the router's restart."""
    async with (
        serving(sample_server()) as url,
        restartable({"sample": url}) as router,
        talking(command, router.url, versions) as script,
    ):
        check(await script.look(), versions)
        await router.restart()
        check(await script.look(), versions)


async def look_anew(command: Sequence[str], versions: Mapping[str, str]) -> None:
    """Assert the same of ways that have to connect anew once the router was restarted."""
    async with serving(sample_server()) as url, restartable({"sample": url}) as router:
        for restart in (router.restart, router.stop):
            async with talking(command, router.url, versions) as script:
                check(await script.look(), versions)
            await restart()


def check(seen: Mapping[str, Seen], versions: Mapping[str, str]) -> None:
    """Assert that each way saw all of the sample server, in the words of its revision."""
    assert {how: one.version for how, one in seen.items()} == versions
    for one in seen.values():
        assert {"echo", "count", "fail"} <= set(one.tools)
        assert one.structured == {"said": "hello"}
        assert '"error_code":"NOT_FOUND"' in one.failed
        assert '"error_code":"INVALID_INPUT"' in one.wrong
        assert "Did you mean 'echo'?" in one.refused
        assert one.resource == "fixed text"
