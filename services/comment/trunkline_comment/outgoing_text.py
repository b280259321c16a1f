"""What a body must be before it leaves: said, whole, free of secrets, short enough."""

import re
from collections.abc import Sequence
from typing import Literal

from trunkline_comment.body_length import MAX_BYTES, MAX_CHARACTERS, fits, split, truncate
from trunkline_comment.markers import Marker, without_marker
from trunkline_comment.mentions import escape_mentions
from trunkline_shared.errors import BlockedByPolicy, InvalidInput, TooLarge
from trunkline_shared.secrets import find_secrets

OnTooLong = Literal["error", "truncate", "split"]
MOST_PARTS = 10
_SURROGATE = re.compile("[\ud800-\udfff]")


def checked(body: str, *, quiet: bool = False, marker: Marker | None = None) -> str:
    """Return the body as it may be posted, its mentions broken when `quiet`.

    Raises InvalidInput for a blank body, BlockedByPolicy for one that holds a secret.
    """
    text = without_marker(body)
    if not text.strip():
        raise _unusable("is blank; GitHub refuses a comment without text", "must not be blank")
    if _SURROGATE.search(text):
        raise _unusable("holds half of a surrogate pair, which is no character", "is no text")
    _refuse_secrets(body, marker.text if marker is not None else "")
    return escape_mentions(text) if quiet else text


def _unusable(what: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"body {what}.", details={"field_errors": [{"field": "body", "problem": problem}]}
    )


def _refuse_secrets(*texts: str) -> None:
    kinds = sorted({kind for text in texts for kind in find_secrets(text)})
    if kinds:
        raise BlockedByPolicy(
            f"The text holds what looks like a secret ({', '.join(kinds)}) and was not posted.",
            hint="Remove the secret, or replace it by a description of it, and post again.",
            details={"reason": "secret", "kinds": kinds},
        )


def fitted(body: str, on_too_long: OnTooLong, marker: Marker | None) -> tuple[str, bool]:
    """Return the body below its marker, and whether it was truncated to fit.

    Raises TooLarge.
    """
    head = marker.line() if marker is not None else ""
    if fits(head + body):
        return head + body, False
    if on_too_long != "truncate":
        raise _too_large(head + body)
    return truncate(body, head), True


def parts(body: str, on_too_long: OnTooLong, marker: Marker | None) -> tuple[Sequence[str], bool]:
    """Return the bodies of the comments that `body` needs, and whether it was truncated.

    Each stands below its own marker. Raises TooLarge, also beyond 10 parts.
    """
    if on_too_long != "split":
        whole, truncated = fitted(body, on_too_long, marker)
        return [whole], truncated
    if len(body) > MOST_PARTS * MAX_CHARACTERS:
        raise _too_large(body)
    longest = Marker(text=marker.text, part=MOST_PARTS, parts=MOST_PARTS) if marker else None
    pieces = split(body, longest.line() if longest else "")
    if len(pieces) > MOST_PARTS:
        raise _too_large(body)
    heads = [
        Marker(text=marker.text, part=k, parts=len(pieces)).line() if marker else ""
        for k in range(1, len(pieces) + 1)
    ]
    return [head + piece.rendered for head, piece in zip(heads, pieces, strict=True)], False


def _too_large(body: str) -> TooLarge:
    return TooLarge(
        f"body has {len(body):,} characters; GitHub takes {MAX_CHARACTERS:,}.",
        hint="Shorten it, or pass on_too_long='truncate' or, where there is one, 'split' "
        f"(at most {MOST_PARTS} parts).",
        details={
            "reason": "too_long",
            "characters": len(body),
            "max_characters": MAX_CHARACTERS,
            "bytes": len(body.encode()),
            "max_bytes": MAX_BYTES,
        },
    )
