"""Changes on their way to a listener: each told once, however often and however slowly read."""

import asyncio

import pytest

from trunkline_router.updates import Updated

pytestmark = pytest.mark.anyio


async def test_a_slow_reader_hears_of_each_resource_once() -> None:
    """What waits never grows beyond what was asked for."""
    updated = Updated(honoured=("x://1", "x://2"))
    for _ in range(1000):
        updated.put("x://2")
        updated.put("x://1")
    async with asyncio.timeout(5):
        assert [await anext(updated), await anext(updated)] == ["x://2", "x://1"]
    updated.put("x://1")
    async with asyncio.timeout(5):
        assert await anext(updated) == "x://1"


async def test_a_reader_waits_for_the_next_change() -> None:
    """And is woken by it."""
    updated = Updated(honoured=("x://1",))
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        reading = tasks.create_task(anext(updated))
        await asyncio.sleep(0)
        assert not reading.done()
        updated.put("x://1")
        assert await reading == "x://1"
