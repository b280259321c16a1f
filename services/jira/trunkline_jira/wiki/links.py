"""Links and images of wiki text: `[text|url]`, `[~user]`, `[^file]`, `!image.png|thumbnail!`."""

import re
from collections.abc import Callable

from trunkline_shared.markdown.document import Image, Inline, Inlines, Link, Text

_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//|www\.|/)\S*")
_PICTURE = re.compile(r"(?:https?://\S+|[^<>|!]+\.\w{2,5})")
_ALT = re.compile(r"\balt=\"?([^\",|]*)")


def link_of(
    inside: str, lossy: set[str], read: Callable[[str, set[str]], Inlines]
) -> Inline | None:
    """Read what stands in brackets; None when it is only text in brackets."""
    if inside.startswith("~") and inside[1:].strip():
        return Text("@" + inside[1:].removeprefix("accountid:"))
    if inside.startswith("^") and inside[1:].strip():
        return _attachment(inside[1:], lossy)
    words, pipe, rest = inside.partition("|")
    if not pipe:
        target = inside.strip()
        return Link(_absolute(target), (Text(target),)) if _URL.fullmatch(target) else None
    target = rest.partition("|")[0].strip()
    if not words.strip() or not _URL.fullmatch(target):
        return None
    return Link(_absolute(target), read(words.strip(), lossy))


def image_of(name: str, look: str, lossy: set[str]) -> Inline | None:
    """Read an image; None when the exclamation marks are only that. Attached ones are named."""
    if not _PICTURE.fullmatch(name):
        return None
    if "://" not in name:
        return _attachment(name, lossy)
    alt = _ALT.search(look)
    return Image(name, alt[1] if alt else "")


def _attachment(name: str, lossy: set[str]) -> Text:
    lossy.add("attachment")
    return Text(f"[attachment: {name.strip()}]")


def _absolute(url: str) -> str:
    return f"https://{url}" if url.startswith("www.") else url
