"""An inline comment as a caller asks for it: checked, with the marker by which it is found."""

import hashlib
import json
from dataclasses import dataclass, replace

from trunkline_inline_review.anchors import Wanted
from trunkline_inline_review.placing import OnOutside, malformed
from trunkline_inline_review.suggestions import suggestions_in
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.markers import Marker, parse_marker, without_marker
from trunkline_shared.github.outgoing_text import require_postable, require_short
from trunkline_shared.postable import refuse_secrets, unusable

_DIGEST = 20
_SHA = frozenset("0123456789abcdef")
_SHORTEST_SHA, _LONGEST_SHA = 7, 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A comment to post: `text` is its body, `marker` the hidden line above it.

    `keyed` says that the caller chose the marker; else it is made of place and text.
    """

    text: str
    wanted: Wanted
    marker: Marker
    keyed: bool
    outside: OnOutside
    commit_id: str

    @property
    def body(self) -> str:
        return self.marker.line() + self.text


def asked(body: str, wanted: Wanted, *, dedupe_key: str, outside: OnOutside, commit_id: str) -> Ask:
    """Return what is asked for, once it is known to be sound in itself.

    Raises InvalidInput, BlockedByPolicy for a secret, and TooLarge.
    """
    text = without_marker(body)
    require_postable(text)
    refuse_secrets(body, dedupe_key, wanted.path)
    suggested = suggestions_in(text)
    if suggested.problem:
        raise unusable("body", f"cannot be posted: {suggested.problem}", suggested.problem)
    wanted = replace(wanted, suggests=suggested.count > 0)
    rejected = malformed(wanted)
    if rejected is not None:
        raise rejected.error()
    key = parse_marker(dedupe_key, "dedupe_key")
    ask = Ask(
        text=text,
        wanted=wanted,
        marker=key or _of_content(wanted, text),
        keyed=key is not None,
        outside=outside,
        commit_id=_sha(commit_id),
    )
    require_short(ask.body)
    return ask


def _of_content(wanted: Wanted, text: str) -> Marker:
    """Return a marker that the same text at the same place always has."""
    place = (wanted.path, wanted.begin, wanted.end, wanted.side, wanted.whole_file)
    content = json.dumps([*place, text.replace("\r\n", "\n").rstrip("\n")]).encode()
    return Marker(text=f"inline-{hashlib.sha256(content).hexdigest()[:_DIGEST]}")


def _sha(commit_id: str) -> str:
    given = commit_id.strip().lower()
    if given and (set(given) - _SHA or not _SHORTEST_SHA <= len(given) <= _LONGEST_SHA):
        raise InvalidInput(
            f"commit_id {commit_id[:80]!r} is not the SHA of a commit.",
            hint="Leave commit_id out to comment on the head.",
            details={"field_errors": [{"field": "commit_id", "problem": "must be a SHA"}]},
        )
    return given
