"""What there is behind an entrance, as the router lists it to the caller: every page of it."""

from dataclasses import dataclass
from typing import Final

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance

LIST_S: Final = 8.0
MOST_PAGES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """Asks an entrance, the mesh's or one server's; each page has `page_s` seconds."""

    asking: Asking
    page_s: float = LIST_S

    async def tools(self, of: Entrance) -> dict[str, Json]:
        """Return the tools by name. Raises what `Asking.ask` does."""
        listed = await self.every(of, "tools/list", "tools")
        return {name: one for one in listed if isinstance(name := one.get("name"), str)}

    async def every(self, of: Entrance, method: str, key: str) -> list[Json]:
        """Return the entries of all pages. Raises what `Asking.ask` does."""
        found: list[Json] = []
        cursor: object = None
        for _ in range(MOST_PAGES):
            params = {} if cursor is None else {"cursor": cursor}
            page = await self.asking.ask(of, method, params, self.page_s)
            entries = page.get(key)
            found += [one for one in entries if is_object(one)] if isinstance(entries, list) else []
            cursor = page.get("nextCursor")
            if cursor is None:
                return found
        raise UpstreamUnavailable(f"{method} has more than {MOST_PAGES} pages.", retryable=False)
