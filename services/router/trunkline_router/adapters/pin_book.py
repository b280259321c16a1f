"""What operators see of pins, and what they approve."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.adapters.pinning import Pinning
from trunkline_router.model import Json


class NothingToApprove(Exception):
    """The server, or the tool at it, waits for no approval; the text says what does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PinBook:
    """The tools that are not as they were approved."""

    catalog: LiveCatalog
    pinning: Pinning

    def changes(self, server: str) -> Json:
        """Return each tool that has changed or is new, and how it differs."""
        known = self.catalog.known(server)
        if known is None or known.answered is None:
            return {"server": server, "tools": []}
        held = known.listing.held if known.listing is not None else {}
        named = [(tool, "changed") for tool in known.review.changed]
        named += [(tool, "new") for tool in known.review.new]
        return {
            "server": server,
            "tools": [
                {
                    "tool": tool,
                    "state": state,
                    "held": tool in held,
                    "diff": self.pinning.difference(known.answered, tool),
                }
                for tool, state in named
            ],
        }

    async def approve(self, server: str, tools: Sequence[str]) -> list[str]:
        """Approve tools as they are now, all of them when none is named; return which.

        Raises NothingToApprove and StoreSilent.
        """
        known = self.catalog.known(server)
        waiting = [] if known is None else [*known.review.changed, *known.review.new]
        strangers = [tool for tool in tools if tool not in waiting]
        if known is None or known.answered is None or strangers or not waiting:
            waits = ", ".join(waiting) or "nothing"
            asked = f" {', '.join(strangers)} does not wait." if strangers else ""
            raise NothingToApprove(f"At {server} waits for approval: {waits}.{asked}")
        approved = list(tools) or waiting
        await self.pinning.approve(known.answered, approved)
        await self.catalog.reconsider(server)
        return approved
