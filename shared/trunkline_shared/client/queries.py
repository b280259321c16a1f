"""A prompt for an agent of the mesh: how it is to run, and what came of it."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, JsonValue

DEFAULT_TIMEOUT_MS: Final = 60_000
MARGIN_S: Final = 15.0
"""What a query may take beside its own time, in which it waits and runs."""


class QueryOptions(TypedDict, total=False):
    """How to run a prompt, in the words of the tool; what is left out is the bridge's to say.

    `timeout` is milliseconds, `maxTurns` at least 3: a call of a tool, its result, an answer.
    """

    model: str
    maxTurns: int
    timeout: int
    outputFormat: Literal["text", "json"]
    jsonSchema: Mapping[str, object] | str


class ToolCall(BaseModel):
    """A call of a tool that a run has made; `ms` is how long it took."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    server: str
    tool: str
    ok: bool
    ms: int
    error_code: str | None = None


class QueryResult(BaseModel):
    """What came of a prompt; `text` is a model's, made of what strangers wrote.

    `structured` has been checked against the schema that was asked for.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    structured: JsonValue = None
    turns: int
    tool_calls: tuple[ToolCall, ...]
    servers: tuple[str, ...]
    elapsed_ms: int


def query_arguments(
    prompt: str, tools: Sequence[str], options: QueryOptions
) -> Mapping[str, object]:
    """Return the arguments of `query_mcp`."""
    return {"prompt": prompt, "tools": list(tools), "options": dict(options)}


def query_seconds(options: QueryOptions) -> float:
    """Return how long to wait for an answer."""
    return options.get("timeout", DEFAULT_TIMEOUT_MS) / 1000 + MARGIN_S
