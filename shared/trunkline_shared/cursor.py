"""Where a list goes on: an opaque, signed text that a caller hands back as it was.

It holds a place in the vendor's own list (a link, a token) and the question that the list
answers, so that it leads nowhere else: neither to another address nor to another list.
"""

import hashlib
import zlib
from dataclasses import dataclass
from typing import Annotated

import orjson
from pydantic import Field

from trunkline_shared.errors import InvalidInput
from trunkline_shared.signing import SigningKeys

Cursor = Annotated[str, Field(description="next_cursor of the page before", max_length=4096)]


@dataclass(frozen=True, slots=True)
class Cursors:
    """Writes and reads the cursors of one server, with keys for this purpose."""

    keys: SigningKeys

    def written(self, place: str, *question: object) -> str:
        """Return the cursor of a place in the list that answers `question`."""
        # a place in many lists at once holds a link for each, all but alike
        return self.keys.sealed(zlib.compress(orjson.dumps([_digest(question), place]), 9))

    def read(self, cursor: str, *question: object) -> str:
        """Return the place of a cursor, an empty one for an empty cursor.

        Raises InvalidInput for a text that is none, or that belongs to another question.
        """
        if not cursor:
            return ""
        content = _content(self.keys.opened(cursor))
        if content is None:
            raise _unusable("is not one that this server has given, or its key has changed")
        digest, place = orjson.loads(content)
        if digest != _digest(question):
            raise _unusable("belongs to a list with other arguments")
        assert isinstance(place, str)
        return place


def _content(packed: bytes | None) -> bytes | None:
    """Return what a cursor holds; None for what another version of this server has signed."""
    try:
        return None if packed is None else zlib.decompress(packed)
    except zlib.error:
        return None


def _digest(question: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(question).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _unusable(why: str) -> InvalidInput:
    return InvalidInput(
        f"cursor {why}.",
        hint="Pass next_cursor as it was, with the other arguments unchanged; or none, to begin.",
        details={"field_errors": [{"field": "cursor", "problem": why, "kind": "cursor"}]},
    )
