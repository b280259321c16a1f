"""A live stream in the router's place: it tells what a test says, and breaks off."""

from collections.abc import Iterable

import orjson
from playwright.async_api import Page, Route

Told = tuple[str, object]


def row(**changes: object) -> dict[str, object]:
    """Return a call as the stream tells it."""
    usual: dict[str, object] = {
        "trace_id": "ab" * 16,
        "name": "tools/call read_page",
        "method": "tools/call",
        "tool": "read_page",
        "server": "basecamp",
        "agent": "ci-bot",
        "source": "upstream",
        "error": "",
        "started": 0.0,
        "duration_ms": 1.0,
        "spans": 1,
        "tokens_in": 1,
        "tokens_out": 1,
    }
    return usual | changes


async def tell(page: Page, told: Iterable[Told]) -> None:
    """Have the page's next stream tell these events; the one after it is the router's again."""
    body = b"".join(
        b"event: " + kind.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
        for kind, data in told
    )

    async def answer(route: Route) -> None:
        await route.fulfill(body=body, content_type="text/event-stream")

    await page.route("**/api/events", answer, times=1)
