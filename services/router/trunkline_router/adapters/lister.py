"""Asking a server for all that it offers."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_router.catalogue.listing import LISTS, Answers, offered
from trunkline_router.model import Json
from trunkline_router.ports import Upstream

_PAGES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Lister:
    """Asks for the introduction first, then for every list that it promises, all at once."""

    upstream: Upstream

    async def answers(self, server: str) -> Answers:
        """Return what a server answers. Raises Refused and UpstreamError, the first there is."""
        discovered = await self.upstream.ask(server, "server/discover", {})
        try:
            async with asyncio.TaskGroup() as tasks:
                pages = {
                    key: tasks.create_task(self._pages(server, LISTS[key][0]))
                    for key in offered(discovered)
                }
        except ExceptionGroup as group:
            raise group.exceptions[0] from None
        lists = {key: task.result() for key, task in pages.items()}
        return Answers(discovered=discovered, lists=lists)

    async def _pages(self, server: str, method: str) -> Sequence[Json]:
        pages: list[Json] = []
        seen: set[str] = set()
        params: Json = {}
        while len(pages) < _PAGES:
            page = await self.upstream.ask(server, method, params)
            pages.append(page)
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str) or cursor in seen:
                break
            seen.add(cursor)
            params = {"cursor": cursor}
        return pages
