"""Tags that hold what only the settings know."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from trunkline_shared import meta
from trunkline_shared.contracts import READ, WRITE, Policy, Reads, Writes
from trunkline_shared.placing import placed
from trunkline_shared.tool import tool, tools_of


class Said(BaseModel):
    said: str = ""


@dataclass(frozen=True)
class Tools:
    """A tool of each effect, and one of none."""

    @tool("Read", READ, Policy(reads=Reads(ttl_s=5, stale_s=60, tags=("x:{site}:{key}",))))
    async def read(self, key: str) -> Said:
        """Read."""
        return Said(said=key)

    @tool("Write", WRITE, Policy(writes=Writes(tags=("x:{site}:{key}", "x:{site}"))))
    async def write(self, key: str) -> Said:
        """Write."""
        return Said(said=key)

    @tool("Plain", READ, Policy(toolset="odd"))
    async def plain(self) -> Said:
        """Do neither."""
        return Said()


def policies(**known: str) -> list[dict[str, Any]]:
    return [(one.meta or {})[meta.POLICY] for one in placed(tools_of(Tools()), **known)]


def test_a_known_value_stands_in_its_place() -> None:
    """Those of arguments are left to the router; all else of the policy stays."""
    read, write, plain = policies(site="acme")
    assert read["reads"] == {"ttl_s": 5.0, "stale_s": 60.0, "tags": ["x:acme:{key}"]}
    assert write["writes"] == {"tags": ["x:acme:{key}", "x:acme"]}
    assert plain == {"toolset": "odd"}


def test_an_unknown_value_leaves_its_place() -> None:
    """A tag with nothing there would be another tag."""
    assert policies(site="")[0]["reads"]["tags"] == ["x:{site}:{key}"]
