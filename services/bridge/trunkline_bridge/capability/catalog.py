"""What the mesh offers to a caller, as a value: servers, and what each of them has."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True)


class ToolEntry(_Value):
    """A tool by its server's own name; the schema only where it was asked for."""

    name: str
    description: str = ""
    annotations: dict[str, Any] = {}
    inputSchema: dict[str, Any] | None = None  # noqa: N815 - the name on the wire


class NamedEntry(_Value):
    """A resource by its URI, a template by its own, or a prompt by its name."""

    name: str
    uri: str = ""
    description: str = ""


class ServerEntry(_Value):
    """One server; `error_code` says what its lists or its tools cannot be had for.

    `left_out` counts, by kind, what did not fit.
    """

    name: str
    description: str
    available: bool
    state: str
    tools: Sequence[ToolEntry]
    resources: Sequence[NamedEntry] = ()
    templates: Sequence[NamedEntry] = ()
    prompts: Sequence[NamedEntry] = ()
    error_code: str | None = None
    message: str | None = None
    left_out: dict[str, int] = {}


class Catalog(_Value):
    """All of them in a stable order; texts are from the servers, sanitised."""

    servers: Sequence[ServerEntry]
    left_out: int = 0
    note: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what there is to say, without what is empty."""
        return {
            "servers": [one.model_dump(mode="json", exclude_defaults=True) for one in self.servers],
            **self.model_dump(mode="json", exclude={"servers"}, exclude_defaults=True),
        }
