"""Who stands behind a session, as its server is told at the handshake."""

from dataclasses import dataclass, field

import orjson

from trunkline_router.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Whose state the session holds, and what its server may ask; `partition` is empty for us."""

    partition: str = ""
    capabilities: Json = field(default_factory=dict)

    @property
    def is_router(self) -> bool:
        return not self.partition

    @property
    def key(self) -> str:
        """What tells its session from those of others."""
        told = orjson.dumps(self.capabilities, option=orjson.OPT_SORT_KEYS).decode()
        return f"{self.partition}\n{told}"


ROUTER = Client(capabilities={"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
"""The router itself, which lists. Many servers list a tool only to clients that can be asked what
it asks; whether a caller can be is settled in the caller's own session."""
