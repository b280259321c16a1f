"""What goes on beside the calls that began it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Tasks:
    """Tasks that may outlive their callers, as long as the router runs."""

    def __init__(self) -> None:
        self._group: asyncio.TaskGroup | None = None

    def group(self) -> asyncio.TaskGroup:
        """Return where tasks are begun."""
        assert self._group is not None
        return self._group

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run tasks for the length of the block; those that are left are waited for."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            yield
