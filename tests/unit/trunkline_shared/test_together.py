"""Several things at once, of which the first failure is the failure of all."""

import asyncio

import pytest

from trunkline_shared.errors import NotFound
from trunkline_shared.together import together

pytestmark = pytest.mark.anyio


async def test_the_first_failure_leaves_as_itself_and_ends_the_others() -> None:
    """A tool raises one of our errors, never a group of them."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def fail() -> None:
        await begun.wait()
        raise NotFound("run 7 is not there")

    async def go_on() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def both() -> None:
        async with together() as tasks:
            tasks.create_task(go_on())
            tasks.create_task(fail())

    async with asyncio.timeout(5):
        with pytest.raises(NotFound, match="run 7"):
            await both()
    assert ended.is_set()


async def test_without_failures_all_are_done() -> None:
    """The block ends when its last task has."""

    async def two() -> int:
        return 2

    async with together() as tasks:
        found = tasks.create_task(two())
    assert found.result() == 2
