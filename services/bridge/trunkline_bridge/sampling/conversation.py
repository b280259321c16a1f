"""A conversation with a client's model: all that a run needs to go on from, on any replica."""

import base64
import binascii
import zlib
from collections.abc import Sequence
from typing import Final

from mcp_types import SamplingMessage, TextContent, ToolResultContent
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_bridge.query.models import ToolCall
from trunkline_shared.errors import InvalidInput, TooLarge

LARGEST: Final = 400_000
"""Bytes of a conversation as JSON."""
_FORM: Final = 1


class Conversation(BaseModel):
    """What was said so far; `begun` and `until` are seconds since the epoch.

    `turns` counts how often the model was asked. It travels with the client between two rounds,
    as a `requestState` that the server has sealed.
    """

    model_config = ConfigDict(frozen=True)

    form: int = Field(_FORM, ge=_FORM, le=_FORM)
    begun: float
    until: float
    turns: int = 0
    messages: tuple[SamplingMessage, ...]
    calls: tuple[ToolCall, ...] = ()

    @classmethod
    def begin(cls, prompt: str, *, now: float, timeout_s: float) -> "Conversation":
        """Return the conversation that begins with a prompt."""
        first = SamplingMessage(role="user", content=TextContent(text=prompt))
        return cls(begun=now, until=now + timeout_s, messages=(first,))

    def answered(self, message: SamplingMessage) -> "Conversation":
        """Return the conversation after the model has spoken."""
        return self.model_copy(update={"messages": (*self.messages, message)})

    def with_results(
        self, results: Sequence[ToolResultContent], calls: Sequence[ToolCall]
    ) -> "Conversation":
        """Return the conversation after the tools have answered."""
        told = SamplingMessage(role="user", content=list(results))
        messages, all_calls = (*self.messages, told), (*self.calls, *calls)
        return self.model_copy(update={"messages": messages, "calls": all_calls})

    def asked(self) -> "Conversation":
        """Return the conversation when the model is asked for its next turn."""
        return self.model_copy(update={"turns": self.turns + 1})

    @property
    def room(self) -> int:
        """Bytes of JSON for which there is still room; zero or less for none."""
        return LARGEST - len(self._json())

    def to_state(self) -> str:
        """Return the text to go on from. Raises TooLarge."""
        written = self._json()
        if len(written) > LARGEST:
            raise too_large()
        return base64.b85encode(zlib.compress(written)).decode()

    @classmethod
    def of_state(cls, state: str) -> "Conversation":
        """Return the conversation that `to_state` wrote down; others are not let in by the seal.

        Raises InvalidInput for one of another version of this program.
        """
        try:
            written = zlib.decompressobj().decompress(base64.b85decode(state), LARGEST)
            return cls.model_validate_json(written)
        except (ValueError, binascii.Error, zlib.error, ValidationError):
            raise InvalidInput(
                "requestState is of a version of the bridge that is no longer here.",
                hint="Call again without inputResponses and requestState.",
            ) from None

    def _json(self) -> bytes:
        return self.model_dump_json(by_alias=True, exclude_none=True).encode()


def too_large() -> TooLarge:
    """Return the error of a conversation that has outgrown what is carried on."""
    return TooLarge(
        f"The conversation with the model has grown beyond {LARGEST} bytes.",
        hint="Ask for less at a time, or have the tools answer with less.",
        details={"largest_bytes": LARGEST},
    )
