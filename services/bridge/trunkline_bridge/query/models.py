"""What `query_mcp` is asked and what it answers, in the words of its first users."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from trunkline_shared.arguments import PLAIN

OutputFormat = Literal["text", "json"]
LEAST_TURNS = 3
"""A call of a tool, its result, and an answer."""


def _enough(turns: int) -> int:
    if turns < LEAST_TURNS:
        raise ValueError(
            f"must be at least {LEAST_TURNS}: a call of a tool, its result and an answer take a "
            "turn each"
        )
    return turns


class QueryOptions(BaseModel):
    """How to run a prompt; `timeout` is milliseconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/@\[\]-]{0,99}$")] = "sonnet"
    maxTurns: Annotated[  # noqa: N815 - the name on the wire
        int,
        Field(le=50, json_schema_extra={"minimum": LEAST_TURNS}),
        AfterValidator(_enough),
        PLAIN,
    ] = LEAST_TURNS
    timeout: Annotated[int, Field(ge=1000, le=600_000, description="Milliseconds."), PLAIN] = 60_000
    outputFormat: OutputFormat = "text"  # noqa: N815 - the name on the wire
    jsonSchema: dict[str, Any] | str | None = None  # noqa: N815 - the name on the wire


class ToolCall(BaseModel):
    """A call of a tool that a run has made."""

    model_config = ConfigDict(frozen=True)

    server: str
    tool: str
    ok: bool
    ms: int
    error_code: str | None = None


class QueryResult(BaseModel):
    """What came of a prompt; `text` is a model's, made of what strangers wrote."""

    model_config = ConfigDict(frozen=True)

    text: str
    structured: Mapping[str, Any] | list[Any] | str | int | float | bool | None = None
    turns: int
    tool_calls: list[ToolCall]
    servers: list[str]
    elapsed_ms: int
