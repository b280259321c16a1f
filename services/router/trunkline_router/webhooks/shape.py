"""Reading what a delivery holds: whatever is not as documented is not there."""

import re
from collections.abc import Iterator

from trunkline_router.model import Json

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FULL_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}/[A-Za-z0-9._-]{1,100}")
_HIGHEST = 2**63


def inner(content: object, *names: str) -> Json:
    """Return the object under these names, an empty one where there is none."""
    for name in names:
        content = content.get(name) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


def text_in(content: Json, name: str) -> str:
    """Return a text, an empty one where there is none."""
    value = content.get(name)
    return value if isinstance(value, str) and value.isprintable() else ""


def number_in(content: Json, name: str) -> int | None:
    """Return a positive whole number."""
    value = content.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value < _HIGHEST else None


def sha_in(content: Json, name: str) -> str:
    """Return the name of a commit, an empty text where there is none."""
    value = text_in(content, name)
    return value if _SHA.fullmatch(value) else ""


def objects_in(content: Json, name: str) -> Iterator[Json]:
    """Yield the objects of a list."""
    found = content.get(name)
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict):
            yield one


def texts_in(content: Json, name: str) -> Iterator[str]:
    """Yield the texts of a list."""
    found = content.get(name)
    yield from (one for one in (found if isinstance(found, list) else ()) if isinstance(one, str))


def full_name_in(content: Json) -> str:
    """Return a repository's `owner/name` in lower case, an empty text where there is none."""
    name = text_in(content, "full_name")
    return name.lower() if _FULL_NAME.fullmatch(name) else ""
