"""Addresses in Markdown: which may be links, and how their targets are written."""

import re

# What GFM reads as a character reference: CommonMark 0.31, section 2.5.
ENTITY = r"&(?=#\d{1,7};|#[xX][\dA-Fa-f]{1,6};|[A-Za-z][A-Za-z\d]{1,31};)"

_ENTITY = re.compile(ENTITY)
_IGNORED_BY_BROWSERS = re.compile(r"[\x00-\x20\x7f]+")
_ACTIVE = ("javascript:", "data:", "vbscript:", "file:")
_LONGEST_SHOWN_DATA = 60
_BARE = re.compile(r"[^\x00-\x20\x7f()<>\\&]+")
_TO_ENCODE = re.compile(r"[\x00-\x20\x7f<>]")
_TO_ESCAPE = re.compile(rf"[()\\]|{ENTITY}")
_AUTOLINK = re.compile(r"[A-Za-z][A-Za-z\d+.-]{1,31}:[^\x00-\x20\x7f<>\\]+")
_EMAIL = re.compile(r"[\w.+-]+@[A-Za-z\d](?:[A-Za-z\d.-]*[A-Za-z\d])?", re.ASCII)


def may_be_link(url: str) -> bool:
    """Whether `url` only leads somewhere, and runs or reads nothing where it is opened."""
    return bool(url.strip()) and not _IGNORED_BY_BROWSERS.sub("", url).lower().startswith(_ACTIVE)


def shown(url: str) -> str:
    """Show an address that may not be a link; data in it is cut."""
    whole = url.strip()
    if whole[:5].lower() != "data:" or len(whole) <= _LONGEST_SHOWN_DATA:
        return whole
    return whole[:_LONGEST_SHOWN_DATA] + "…"


def destination(url: str) -> str:
    """`url` as the target of a link or an image."""
    if _BARE.fullmatch(url):
        return url
    encoded = _TO_ENCODE.sub(lambda match: f"%{ord(match[0]):02X}", url)
    return _TO_ESCAPE.sub(r"\\\g<0>", encoded)


def autolink(url: str) -> str | None:
    """`<url>` when that reads as a link with its target as its text, otherwise None."""
    if not _AUTOLINK.fullmatch(url) or _ENTITY.search(url):
        return None
    return f"<{url}>"


def email_autolink(url: str, text: str) -> str | None:
    """`<address>` for a link that mails to its own text, otherwise None."""
    if url.lower() != f"mailto:{text}".lower() or not _EMAIL.fullmatch(text):
        return None
    return f"<{text}>"
