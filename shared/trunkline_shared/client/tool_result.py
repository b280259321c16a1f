"""What a tool answered a program, read once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from trunkline_shared import meta
from trunkline_shared.errors import Unsupported, UpstreamUnavailable
from trunkline_shared.mesh.answers import Json, failure

Object = dict[str, JsonValue]
Shape = TypeVar("Shape", bound=BaseModel)


class CallNote(BaseModel):
    """What the router notes on a call: who answered, from where, how old it is, and its trace."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    server: str | None = None
    source: str | None = None
    age_ms: int | None = None
    trace_id: str | None = None


class _Answer(BaseModel):
    """A `CallToolResult` (MCP, tools)."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    content: tuple[Object, ...] = ()
    structuredContent: Object | None = None  # noqa: N815 - the name on the wire


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """A success; `text` is that of all text blocks, `content` has the others too."""

    text: str
    structured: Mapping[str, JsonValue] | None
    content: tuple[Mapping[str, JsonValue], ...]
    note: CallNote


def tool_result(tool: str, result: Json) -> ToolResult:
    """Read a result.

    Raises the error that the tool answered; Unsupported for a question to its caller, which a
    program does not answer; UpstreamUnavailable for what is no result.
    """
    if result.get("isError") is True:
        raise failure(tool, result)
    if result.get("resultType") == "input_required":
        raise Unsupported(f"{tool} asks its caller for something, and a program does not answer.")
    answer = read(tool, result, _Answer)
    about = result.get("_meta")
    said = about.get(meta.CALL) if isinstance(about, Mapping) else None
    return ToolResult(
        text="\n".join(_texts(answer.content)),
        structured=answer.structuredContent,
        content=answer.content,
        note=read(tool, said or {}, CallNote),
    )


def read(subject: str, value: object, shape: type[Shape]) -> Shape:
    """Return a value in its shape. Raises UpstreamUnavailable, without what was wrong with it."""
    try:
        return shape.model_validate(value)
    except ValidationError:
        raise UpstreamUnavailable(
            f"{subject} answered in a form that is not known here.",
            retryable=False,
            hint="Has this program the version of the mesh?",
        ) from None


def _texts(content: Sequence[Mapping[str, JsonValue]]) -> list[str]:
    blocks = (block.get("text") for block in content if block.get("type") == "text")
    return [text for text in blocks if isinstance(text, str)]
