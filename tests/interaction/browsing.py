"""A browser at the dashboard, by hand: it keeps the session's cookie, and says where it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

from tests.interaction.mesh import Mesh
from tests.interaction.wire import Reply, head, send
from trunkline_shared.clock import SystemClock

COOKIE = "trunkline_session"


class Later(SystemClock):
    """The machine's clock, and as much later as a test says."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def now(self) -> float:
        return super().now() + self.ahead_s

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead_s


@dataclass(kw_only=True)
class Browser:
    """Someone with the page open; `page` are the headers that a browser adds to its requests."""

    mesh: Mesh
    cookie: str = ""
    page: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.page = self.page or {"Origin": self.mesh.url, "Sec-Fetch-Site": "same-origin"}

    async def get(self, path: str, **changes: str) -> Reply:
        """Read a path."""
        return await self._send("GET", path, b"", changes)

    async def post(self, path: str, body: object = None, **changes: str) -> Reply:
        """Send JSON, or bytes as they are."""
        raw = body if isinstance(body, bytes) else orjson.dumps(body)
        return await self._send("POST", path, raw, {"Content-Type": "application/json"} | changes)

    async def login(self, key: str) -> Reply:
        """Show a key, and keep the cookie that comes of it."""
        reply = await self.post("/login", {"key": key})
        self.take(reply)
        return reply

    def take(self, reply: Reply) -> None:
        """Keep a cookie, or lose one whose time is over."""
        told = reply.headers.get("set-cookie")
        if told is not None:
            self.cookie = "" if "Max-Age=0" in told else told.partition(";")[0]

    async def _send(self, verb: str, path: str, body: bytes, changes: Mapping[str, str]) -> Reply:
        given = {name.replace("_", "-"): value for name, value in changes.items()}
        headers = self.page | ({"Cookie": self.cookie} if self.cookie else {}) | given
        kept = {name: value for name, value in headers.items() if value}
        raw = head(body, kept, port=self.mesh.port, path=path, verb=verb)
        return await send(self.mesh.port, raw + body)
