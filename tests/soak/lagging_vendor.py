"""A vendor with versions: what it answered when is known, also where it lags behind itself."""

import asyncio
import time
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random

import orjson
from aiohttp import web

from tests.interaction.upstreams import COMPLETE, Json, result

SERVER = "github"
BOOK, SHELF, NOTES = "lib:{shelf}:{book}", "lib:{shelf}", "lib:{shelf}:{book}:notes"
LONGEST_LAG_S = 5.0
QUICK_S = 0.3


def _tool(name: str, timeout_s: float = 20.0, **policy: object) -> Json:
    return {
        "name": name,
        "description": f"{name}.",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": "writes" not in policy},
        "_meta": {"dev.trunkline/policy": {"timeout_s": timeout_s, **policy}},
    }


def tools(settle_s: float) -> list[Json]:
    """Return the tools of a vendor that needs so long to agree with itself.

    What `find_book` has read, only its answer tells.
    """
    reads = {"read_book": BOOK, "read_notes": NOTES, "read_shelf": SHELF, "find_book": BOOK}
    writes = {"write_book": BOOK, "write_notes": NOTES, "write_shelf": SHELF, "write_cut": BOOK}
    kept = {"ttl_s": 600, "stale_s": 3600, "settle_s": settle_s}
    return [
        *(_tool(name, reads={**kept, "tags": [tag]}) for name, tag in reads.items()),
        *(_tool(name, writes={"tags": [tag]}) for name, tag in writes.items()),
        _tool("write_late", timeout_s=QUICK_S, writes={"tags": [BOOK]}),
    ]


Book = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Applied:
    """When a write took effect: its number among all, and the moment."""

    number: int
    at: float


@dataclass(slots=True, kw_only=True)
class Library:
    """Answers reads with the number of the last write before it, and what it shows of it.

    `lags` lets each read see what was so up to five seconds before.
    """

    rng: Random
    lags: bool
    books: int
    number: int = 0
    asked: int = 0
    applied: dict[str, Applied] = field(default_factory=dict)
    _of_book: dict[Book, list[Applied]] = field(default_factory=lambda: defaultdict(list))

    async def handle(self, http: web.BaseRequest) -> web.StreamResponse:
        request: Json = orjson.loads(await http.read())
        method = str(request.get("method"))
        if method == "tools/list":
            settle_s = LONGEST_LAG_S + 1 if self.lags else 0.3
            return result(request, COMPLETE | {"tools": tools(settle_s)})
        listed = _LISTS.get(method)
        if listed is not None:
            return result(request, COMPLETE | listed)
        params = request["params"]
        assert isinstance(params, dict)
        name, given = str(params["name"]), params["arguments"]
        await asyncio.sleep(self.rng.uniform(0, 0.01))
        if name.startswith("write"):
            return await self._written(http, request, name, given)
        return await self._read(request, name, given)

    async def _read(self, request: Json, name: str, given: Json) -> web.StreamResponse:
        self.asked += 1
        shelf, book = int(str(given["shelf"])), _book_of(given)
        lag_s = self.rng.uniform(0, LONGEST_LAG_S) if self.lags else 0.0
        books = [book] if name != "read_shelf" else range(self.books)
        shown = {str(one): self._version((shelf, one), lag_s) for one in books}
        told = {"number": self.number, "shown": shown}
        # What was so a moment ago is on its way: the answer is from before what happens now.
        await asyncio.sleep(self.rng.uniform(0, 0.01))
        more: Json = {}
        if name == "find_book":
            more = {"_meta": {"dev.trunkline/reuse": {"tags": [f"lib:{shelf}:{book}"]}}}
        answer = {"content": [], "structuredContent": told, "isError": False, **more}
        return result(request, {"resultType": "complete", **answer})

    async def _written(
        self, http: web.BaseRequest, request: Json, name: str, given: Json
    ) -> web.StreamResponse:
        if name == "write_late":
            # The router has given up on it, and the connection is gone, before it takes effect.
            await asyncio.sleep(QUICK_S + self.rng.uniform(2.5, 6.0))
        self._apply(name, given)
        if name == "write_cut":
            assert http.transport is not None
            http.transport.abort()
            return web.Response()
        await asyncio.sleep(self.rng.uniform(0, 0.01))
        told: Json = {"resultType": "complete", "content": [], "isError": False}
        return result(request, told)

    def _apply(self, name: str, given: Json) -> None:
        nonce = str(given["nonce"])
        if nonce in self.applied:
            return
        self.number += 1
        applied = self.applied[nonce] = Applied(self.number, time.monotonic())
        shelf = int(str(given["shelf"]))
        books = range(self.books) if name == "write_shelf" else [_book_of(given)]
        for book in books:
            self._of_book[shelf, book].append(applied)

    def _version(self, book: Book, lag_s: float) -> int:
        """Return the number of the write that is seen, so many seconds late."""
        seen = self._of_book.get(book, [])
        if not lag_s:
            return seen[-1].number if seen else 0
        at = bisect_right(seen, time.monotonic() - lag_s, key=lambda one: one.at)
        return seen[at - 1].number if at else 0


def _book_of(given: Json) -> int:
    return int(str(given.get("book", given.get("title", 0))))


_LISTS: dict[str, Json] = {
    "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}},
    "prompts/list": {"prompts": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
}
