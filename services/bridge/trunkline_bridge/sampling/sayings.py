"""What a client's model has said in its turn, read with suspicion."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

import orjson
from mcp_types import (
    CreateMessageResultWithTools,
    ElicitResult,
    SamplingMessage,
    TextContent,
    ToolUseContent,
)
from pydantic import BaseModel, ValidationError

from trunkline_bridge.sampling.conversation import LARGEST, too_large
from trunkline_shared.errors import Cancelled, InvalidInput

MOST_USES: Final = 64
_LONGEST_ID: Final = 256
_DEEPEST: Final = 32
_ENDS: Final = frozenset({"endTurn", "stopSequence", "maxTokens"})
"""Reasons to stop that are no wish for a tool, whatever else is in the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A model's turn: its text, and the tools that it wants to be run now."""

    message: SamplingMessage
    text: str
    uses: tuple[ToolUseContent, ...] = ()


def saying_of(answer: object) -> Saying:
    """Read a client's answer to `sampling/createMessage`; only text and tool uses count.

    Raises Cancelled when the client or its model said nothing, InvalidInput for what is no answer,
    TooLarge.
    """
    if isinstance(answer, ElicitResult):
        raise Cancelled(f"The client's answer to sampling/createMessage is {answer.action!r}.")
    result = _result(answer)
    blocks = [block for block in result.content_as_list if _counts(block)]
    text = "\n".join(block.text for block in blocks if isinstance(block, TextContent))
    uses = tuple(block for block in blocks if isinstance(block, ToolUseContent))
    if result.stop_reason in _ENDS:
        uses = ()
    if not uses and not text.strip():
        raise Cancelled(
            "The client's model said nothing.",
            hint="The person before it may have refused, or the model stopped too early.",
            details={"stop_reason": str(result.stop_reason)[:100]},
        )
    _check(uses)
    return Saying(
        message=SamplingMessage(role="assistant", content=[*blocks]), text=text, uses=uses
    )


def _counts(block: object) -> TypeGuard[TextContent | ToolUseContent]:
    """Say whether a block is anything; models refuse a conversation with empty texts."""
    said = isinstance(block, TextContent) and bool(block.text.strip())
    return said or isinstance(block, ToolUseContent)


def _result(answer: object) -> CreateMessageResultWithTools:
    given = answer.model_dump(by_alias=True) if isinstance(answer, BaseModel) else answer
    _check_size(given)
    try:
        result = CreateMessageResultWithTools.model_validate(given)
    except ValidationError:
        raise _malformed("it has not the form of a message") from None
    if result.role != "assistant":
        raise _malformed(f"its role is {result.role!r}")
    return result


def _check_size(given: object) -> None:
    if _is_too_deep(given):
        raise _malformed(f"it is nested more than {_DEEPEST} levels deep")
    try:
        size = len(orjson.dumps(given))
    except TypeError:
        raise _malformed("it cannot be written as JSON") from None
    if size > LARGEST:
        raise too_large()


def _is_too_deep(given: object) -> bool:
    level: list[Any] = [given]
    for _ in range(_DEEPEST):
        level = [child for value in level for child in _children(value)]
        if not level:
            return False
    return True


def _children(value: object) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list) else []


def _check(uses: tuple[ToolUseContent, ...]) -> None:
    ids = [use.id for use in uses]
    if len(uses) > MOST_USES:
        raise _malformed(f"it wants more than {MOST_USES} tools at once")
    if len(set(ids)) != len(ids):
        raise _malformed("two of its tool uses have the same id")
    if any(not one or len(one) > _LONGEST_ID for one in ids):
        raise _malformed(f"the id of a tool use has not 1 to {_LONGEST_ID} characters")


def _malformed(why: str) -> InvalidInput:
    return InvalidInput(
        f"The client's answer to sampling/createMessage cannot be used: {why}.",
        hint="This is the client's or its model's doing; try again, or use another.",
        details={"reason": "malformed_sampling"},
    )
