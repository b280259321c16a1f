"""A comment's body as it leaves: checked, below its marker, cut or split where it is too long."""

from collections.abc import Sequence
from typing import Literal

from trunkline_comment.body_length import fits, split, truncate
from trunkline_comment.mentions import escape_mentions
from trunkline_shared.errors import TooLarge
from trunkline_shared.github.markers import Marker, without_marker
from trunkline_shared.github.outgoing_text import MAX_CHARACTERS, require_postable, too_large
from trunkline_shared.postable import refuse_secrets

OnTooLong = Literal["error", "truncate", "split"]
MOST_PARTS = 10


def checked(body: str, *, quiet: bool = False, marker: Marker | None = None) -> str:
    """Return the body as it may be posted, its mentions broken when `quiet`.

    Raises InvalidInput for a blank body, BlockedByPolicy for one that holds a secret.
    """
    text = without_marker(body)
    require_postable(text)
    refuse_secrets(body, marker.text if marker is not None else "")
    return escape_mentions(text) if quiet else text


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
    return too_large(
        body,
        "body",
        "Shorten it, or pass on_too_long='truncate' or, where there is one, 'split' "
        f"(at most {MOST_PARTS} parts).",
    )
