"""What a call costs an agent's context, by one stated rule."""

import orjson

from trunkline_router.attributes import SAVED_BY, TOKENS_IN, TOKENS_OUT, TOKENS_SAVED
from trunkline_router.span import Span
from trunkline_shared.trimming import TrimNote

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


def note_saved(span: Span, left_out: TrimNote | None) -> None:
    """Write down on a call's span what its agent need not read, if that is anything."""
    if left_out is None:
        return
    saved = {reason: tokens(getattr(left_out, reason)) for reason in SAVED_BY}
    span.attributes[TOKENS_SAVED] = sum(saved.values())
    for reason, count in saved.items():
        if count:
            span.attributes[SAVED_BY[reason]] = count


def _written(arguments: object) -> int:
    try:
        return len(orjson.dumps(arguments))
    except TypeError:
        # What is nested too deeply to be written never goes to a server either.
        return 0
