"""Titles and bodies of issues as they leave: checked, below their marker."""

from trunkline_shared.github.markers import Marker, without_marker
from trunkline_shared.github.outgoing_text import require_postable, require_short
from trunkline_shared.postable import refuse_secrets, require_clean

LONGEST_TITLE = 256


def checked_title(title: str) -> str:
    """Return the title without blanks around it.

    Raises InvalidInput for a blank one, BlockedByPolicy for a secret.
    """
    require_postable(title, "title")
    return title.strip()


def checked_body(body: str, marker: Marker | None) -> str:
    """Return the body below its marker; it may be empty.

    Raises TooLarge, or BlockedByPolicy for a secret.
    """
    text = without_marker(body)
    require_clean(text)
    refuse_secrets(body, marker.text if marker else "")
    whole = (marker.line() if marker else "") + text
    require_short(whole)
    return whole
