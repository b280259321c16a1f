"""What a call costs an agent's context, by one stated rule."""

import orjson

from trunkline_router.span import Span
from trunkline_router.tracing import TOKENS_IN, TOKENS_OUT

RULE = (
    "Estimated: four bytes of UTF-8 are one token. In are a call's arguments as JSON; out is the "
    "text of its result's content."
)
_BYTES = 4


def tokens(count: int) -> int:
    """Return how many tokens so many bytes of UTF-8 count as."""
    return (count + _BYTES - 1) // _BYTES


def note_tokens(span: Span, arguments: object, text_bytes: int) -> None:
    """Write down on a call's span what it has cost; `text_bytes` are those of its result."""
    span.attributes[TOKENS_IN] = tokens(_written(arguments)) if arguments else 0
    span.attributes[TOKENS_OUT] = tokens(text_bytes)


def _written(arguments: object) -> int:
    try:
        return len(orjson.dumps(arguments))
    except TypeError:
        # What is nested too deeply to be written never goes to a server either.
        return 0
