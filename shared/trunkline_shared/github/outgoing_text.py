"""What a text must be before it is posted: said, whole, free of secrets, short enough."""

from trunkline_shared.errors import TooLarge
from trunkline_shared.postable import require_clean, unusable

MAX_CHARACTERS = 65_536
MAX_BYTES = 262_144
"""GitHub answers 422 beyond the characters; reports speak of the bytes too, so both hold."""


def require_postable(text: str, field: str = "body") -> None:
    """Check a text that is about to be posted.

    Raises InvalidInput for a blank one or half a character, BlockedByPolicy for a secret.
    """
    if not text.strip():
        raise unusable(field, "is blank; GitHub refuses it without text", "must not be blank")
    require_clean(text, field)


def require_short(text: str, field: str = "body") -> None:
    """Check a text against GitHub's limits. Raises TooLarge."""
    if not fits(text):
        raise too_large(text, field, "Shorten it.")


def fits(text: str) -> bool:
    """Say whether GitHub takes a text of this length."""
    return len(text) <= MAX_CHARACTERS and len(text.encode()) <= MAX_BYTES


def too_large(text: str, field: str, hint: str) -> TooLarge:
    """Return the refusal of a text that is too long."""
    return TooLarge(
        f"{field} has {len(text):,} characters; GitHub takes {MAX_CHARACTERS:,}.",
        hint=hint,
        details={
            "reason": "too_long",
            "characters": len(text),
            "max_characters": MAX_CHARACTERS,
            "bytes": len(text.encode()),
            "max_bytes": MAX_BYTES,
        },
    )
