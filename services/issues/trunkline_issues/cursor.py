"""Where a list goes on: an opaque text that a caller hands back as it was.

It names a place in GitHub's own list and the question that the list answers, so that it cannot
be used for another one. It holds no rights: whatever it says, the caller asks for its own list.
"""

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

import orjson
from pydantic import Field

from trunkline_shared.errors import InvalidInput
from trunkline_shared.vendor.page import page_number

Cursor = Annotated[str, Field(description="next_cursor of the page before")]

_AFTER = re.compile(r"[\w.=+/-]{0,500}", re.ASCII)
_LAST_PAGE, _LAST_SKIP, _LONGEST = 1_000_000, 99, 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in a list: GitHub's page, its own cursor where it has one, entries to skip."""

    page: int = 1
    after: str = ""
    skip: int = 0

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """Return the parameters that lead there."""
        after = (("after", self.after),) if self.after else ()
        return (("page", str(self.page)), *after)


BEGINNING = Place()


def following(next_url: str | None) -> Place | None:
    """Return the place that a page's `next` link leads to."""
    number = page_number(next_url)
    if next_url is None or number is None:
        return None
    return Place(page=number, after=dict(parse_qsl(urlsplit(next_url).query)).get("after", ""))


def written(place: Place, *question: object) -> str:
    """Return the cursor of a place in the list that answers `question`."""
    parts = [_digest(question), place.page, place.after, place.skip]
    return base64.urlsafe_b64encode(orjson.dumps(parts)).rstrip(b"=").decode()


def read(cursor: str, *question: object) -> Place:
    """Return the place of a cursor, the beginning for an empty one.

    Raises InvalidInput for a text that is none, or that belongs to another question.
    """
    if not cursor:
        return BEGINNING
    match _parts(cursor):
        case [str(digest), int(page), str(after), int(skip)] if _is_place(page, after, skip):
            if digest == _digest(question):
                return Place(page=page, after=after, skip=skip)
            raise _unusable("belongs to a list with other arguments")
        case _:
            raise _unusable("is not one that this tool has given")


def _parts(cursor: str) -> object:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        decoded = base64.b64decode(padded, altchars=b"-_", validate=True)
        return orjson.loads(decoded) if len(cursor) <= _LONGEST else None
    except (UnicodeEncodeError, binascii.Error, orjson.JSONDecodeError):
        return None


def _is_place(page: int, after: str, skip: int) -> bool:
    flags = isinstance(page, bool) or isinstance(skip, bool)
    in_range = 1 <= page <= _LAST_PAGE and 0 <= skip <= _LAST_SKIP
    return in_range and not flags and _AFTER.fullmatch(after) is not None


def _digest(question: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(question).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _unusable(why: str) -> InvalidInput:
    return InvalidInput(
        f"cursor {why}.",
        hint="Pass next_cursor as it was, with the other arguments unchanged; or none, to begin.",
        details={"field_errors": [{"field": "cursor", "problem": why, "kind": "cursor"}]},
    )
