"""What any text must be before it is posted anywhere: whole characters, free of secrets."""

import re

from trunkline_shared.errors import BlockedByPolicy, InvalidInput
from trunkline_shared.secrets import find_secrets

_SURROGATE = re.compile("[\ud800-\udfff]")


def require_clean(text: str, field: str = "body") -> None:
    """Check a text that is about to be posted; it may be empty.

    Raises InvalidInput for half a character, BlockedByPolicy for a secret.
    """
    if _SURROGATE.search(text):
        raise unusable(field, "holds half of a surrogate pair, which is no character", "is no text")
    refuse_secrets(text)


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
