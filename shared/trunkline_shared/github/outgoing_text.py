"""What a text must be before it is posted: said, whole, free of secrets, short enough."""

import re

from trunkline_shared.errors import BlockedByPolicy, InvalidInput, TooLarge
from trunkline_shared.secrets import find_secrets

MAX_CHARACTERS = 65_536
MAX_BYTES = 262_144
"""GitHub answers 422 beyond the characters; reports speak of the bytes too, so both hold."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def require_postable(text: str, field: str = "body") -> None:
    """Check a text that is about to be posted.

    Raises InvalidInput for a blank one or half a character, BlockedByPolicy for a secret.
    """
    if not text.strip():
        raise unusable(field, "is blank; GitHub refuses it without text", "must not be blank")
    require_clean(text, field)


def require_clean(text: str, field: str = "body") -> None:
    """Check a text that may be empty. Raises as `require_postable` does."""
    if _SURROGATE.search(text):
        raise unusable(field, "holds half of a surrogate pair, which is no character", "is no text")
    refuse_secrets(text)


def require_short(text: str, field: str = "body") -> None:
    """Check a text against GitHub's limits. Raises TooLarge."""
    if not fits(text):
        raise too_large(text, field, "Shorten it.")


def fits(text: str) -> bool:
    """Say whether GitHub takes a text of this length."""
    return len(text) <= MAX_CHARACTERS and len(text.encode()) <= MAX_BYTES


def refuse_secrets(*texts: str) -> None:
    """Check that texts hold nothing that looks like a secret. Raises BlockedByPolicy."""
    kinds = sorted({kind for text in texts for kind in find_secrets(text)})
    if kinds:
        raise BlockedByPolicy(
            f"The text holds what looks like a secret ({', '.join(kinds)}) and was not posted.",
            hint="Remove the secret, or replace it by a description of it, and post again.",
            details={"reason": "secret", "kinds": kinds},
        )


def unusable(field: str, what: str, problem: str) -> InvalidInput:
    """Return the refusal of a text that cannot be posted as it is."""
    return InvalidInput(
        f"{field} {what}.", details={"field_errors": [{"field": field, "problem": problem}]}
    )


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
