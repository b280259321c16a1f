"""Where a list goes on: pages cut from the merged lists, for those who want them short."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.model import Json, Request
from trunkline_router.wire.refusal import Refused
from trunkline_shared.cursor import Cursors
from trunkline_shared.errors import InvalidInput

_IDENTITY = {"resources": "uri", "resourceTemplates": "uriTemplate"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Cuts lists into pages of `length` entries; without a length, all of a list is one page.

    A cursor names the last entry of its page and where that stood, so that every replica can go
    on from it. In a list that has changed, the next page begins after that entry; if it is gone,
    at the place where it was. So no entry that was there all the time is left out because others
    came; some may be seen twice.
    """

    cursors: Cursors | None = None
    length: Callable[[], int | None] = lambda: None

    def page(self, request: Request, key: str, entries: Sequence[Json]) -> Json:
        """Return one page of a list under its `key`. Raises Refused for a cursor not of this list.

        MCP, "Pagination".
        """
        length = self.length()
        cursor = request.params.get("cursor")
        if length is None or self.cursors is None:
            if cursor is not None:
                raise _unusable("this list has one page")
            return {key: entries}
        start = self._start(request, key, entries)
        end = start + length
        page: Json = {key: entries[start:end]}
        if end < len(entries):
            place = f"{end} {_identity(key, entries[end - 1])}"
            page["nextCursor"] = self.cursors.written(place, *_question(request, key))
        return page

    def _start(self, request: Request, key: str, entries: Sequence[Json]) -> int:
        cursor = request.params.get("cursor")
        if cursor is None:
            return 0
        if not isinstance(cursor, str) or self.cursors is None:
            raise _unusable("it must be a text")
        try:
            place = self.cursors.read(cursor, *_question(request, key))
        except InvalidInput as error:
            raise _unusable(error.message.removeprefix("cursor ").rstrip(".")) from None
        if not place:
            return 0
        position, _, last = place.partition(" ")
        after = [n for n, entry in enumerate(entries, 1) if _identity(key, entry) == last]
        # Two servers may have a template of the same text: the nearer one is meant.
        return min(after, key=lambda n: abs(n - int(position)), default=int(position) - 1)


def _question(request: Request, key: str) -> tuple[object, ...]:
    view = request.view
    return key, view.scope, view.context.bindings


def _identity(key: str, entry: Json) -> str:
    return str(entry.get(_IDENTITY.get(key, "name")))


def _unusable(why: str) -> Refused:
    return Refused(INVALID_PARAMS, f"Invalid cursor: {why}.")


ONE_PAGE = Pages()
