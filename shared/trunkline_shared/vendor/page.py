"""Pages of a list and the `Link` header that joins them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

T = TypeVar("T")

_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[^\s;,=]+\s*=\s*(?:\"[^\"]*\"|[^\s\";,]+))*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s\";,]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[T]):
    """One page of a list, with the URLs of the next and the last one (None at the end).

    `total_count` is how many there are on all pages, where the vendor says so.
    """

    items: tuple[T, ...]
    next_url: str | None = None
    last_url: str | None = None
    total_count: int | None = None

    @property
    def next_page(self) -> int | None:
        return page_number(self.next_url)

    @property
    def last_page(self) -> int | None:
        return page_number(self.last_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected(Generic[T]):
    """The items of several pages; `truncated` says that there are more than these.

    `total_count` is how many there are, where the vendor says so: it counts beyond its own limits.
    """

    items: tuple[T, ...]
    truncated: bool
    total_count: int | None = None


def links(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the targets of a `Link` header by relation (RFC 8288); {} when there is none."""
    found: dict[str, str] = {}
    for target, parameters in _LINK.findall(headers.get("link", "")):
        for quoted, bare in _REL.findall(parameters):
            for relation in (quoted or bare).lower().split():
                found.setdefault(relation, target)
    return found


def page_number(url: str | None) -> int | None:
    """Return the `page` parameter of a URL, or None when it has no usable one."""
    value = dict(parse_qsl(urlsplit(url or "").query)).get("page", "")
    return int(value) if value.isascii() and value.isdigit() else None
