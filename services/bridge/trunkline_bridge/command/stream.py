"""The messages that `claude -p --output-format stream-json` writes, one a line.

Only what is read here is declared; kinds of message that are not are passed over.
Source: what 2.1.330 writes.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Text(_Read):
    """What a model says, or what a tool has answered."""

    type: Literal["text"]
    text: str = ""


class ToolUse(_Read):
    """A tool that a model calls."""

    type: Literal["tool_use"]
    id: str
    name: str


class ToolResult(_Read):
    """What came of such a call."""

    type: Literal["tool_result"]
    tool_use_id: str
    is_error: bool = False
    content: str | list[Any] | None = None

    @property
    def text(self) -> str:
        """All of its text."""
        if not isinstance(self.content, list):
            return self.content or ""
        parts = (each.get("text") for each in self.content if isinstance(each, dict))
        return "".join(part for part in parts if isinstance(part, str))


class Other(_Read):
    """A block of no interest, such as a thought."""

    type: str


Block = Annotated[Text | ToolUse | ToolResult | Other, Field(union_mode="left_to_right")]


class _Said(_Read):
    id: str = ""
    content: str | list[Block] = ""

    @property
    def blocks(self) -> list[Block]:
        """The blocks of its content."""
        return (
            [Text(type="text", text=self.content)]
            if isinstance(self.content, str)
            else self.content
        )


class Assistant(_Read):
    """A part of what the model says in one turn; `error` names why it says nothing."""

    type: Literal["assistant"]
    message: _Said
    parent_tool_use_id: str | None = None
    error: str | None = None


class User(_Read):
    """What the model is told: the results of its calls."""

    type: Literal["user"]
    message: _Said


class Result(_Read):
    """What came of it all; `api_error_status` is the HTTP status of a model that failed."""

    type: Literal["result"]
    subtype: str = ""
    is_error: bool = False
    result: str | None = None
    structured_output: Any = None
    num_turns: int = 0
    terminal_reason: str | None = None
    api_error_status: int | None = None


Message = Assistant | User | Result
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def message_of(line: bytes) -> Message | None:
    """Return the message of a line, or None for one that says nothing to us, garbage included."""
    try:
        return _MESSAGE.validate_json(line)
    except ValidationError:
        return None
