"""How an attachment stands in the text: a mention, a picture, a file, a link, or its type."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_project_reader.html.attachment import (
    Attachment,
    ListedAttachment,
    attachment,
    size,
)
from trunkline_project_reader.html.markup import TOKEN, attributes, shown, visible
from trunkline_project_reader.html.page import Page
from trunkline_project_reader.html.urls import address
from trunkline_shared.markdown.document import Image

_FIGCAPTION = re.compile(r"<figcaption\b[^>]*+>(.*?)(?:</figcaption|\Z)", re.DOTALL | re.IGNORECASE)
_IMAGE = re.compile(r"<img\b([^>]*+)>?+", re.IGNORECASE)
_LINK = re.compile(r"<a\b([^>]*+)>?+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Inside:
    """What Basecamp rendered between the tags; read only as far as it is needed."""

    html: str

    def text(self) -> str:
        return _read(self.html)

    def figcaption(self) -> str:
        found = _FIGCAPTION.search(self.html)
        return _read(found[1]) if found else ""

    def alt(self) -> str:
        found = _IMAGE.search(self.html)
        return _one_line(attributes(found[1]).get("alt", "")) if found else ""

    def url(self) -> str:
        found = _LINK.search(self.html)
        return address(attributes(found[1]).get("href", "")) if found else ""


def put(
    page: Page, given: Mapping[str, str], inner: str, listed: ListedAttachment
) -> str | Attachment:
    """Put an attachment on the page; return it, or the name of who is mentioned."""
    inside = Inside(inner)
    found = attachment(given, listed)
    if found.content_type.endswith(".mention"):
        return _mention(page, inside)
    if found.content_type.startswith("image/") and (found.url or found.download_url):
        _picture(page, found, inside)
    elif found.content_type.endswith("opengraph-embed"):
        _preview(page, found, inside, title=given.get("title", ""))
    elif found.filename:
        _file(page, found)
    else:
        _unknown(page, found, inside)
    return found


def _mention(page: Page, inside: Inside) -> str:
    name = inside.figcaption() or inside.alt() or inside.text() or "someone"
    page.put(f"@{name.removeprefix('@')}")
    return name.removeprefix("@")


def _picture(page: Page, found: Attachment, inside: Inside) -> None:
    said = found.caption or found.filename or inside.figcaption() or inside.alt()
    page.edge()
    page.linked("", Image(found.url or found.download_url, said))
    page.edge()


def _file(page: Page, found: Attachment) -> None:
    page.edge()
    page.linked(found.download_url or found.url, found.filename)
    if found.byte_size is not None:
        page.linked("", f" ({size(found.byte_size)})")
    if found.caption:
        page.linked("", f" {found.caption}")
    page.edge()


def _preview(page: Page, found: Attachment, inside: Inside, title: str) -> None:
    url = found.download_url or inside.url() or found.url
    said = _one_line(title) or found.filename or inside.text() or url
    page.edge()
    page.linked(url, said or "[attachment: link]")
    page.edge()


def _unknown(page: Page, found: Attachment, inside: Inside) -> None:
    """Something that only Basecamp knows: its type, its link, and what is to be read in it."""
    page.edge()
    url = found.download_url or found.url or inside.url()
    page.linked(url, f"[attachment: {found.content_type or 'unknown'}]")
    said = " ".join(filter(None, (found.caption, inside.text())))
    if said:
        page.linked("", f" {said}")
    page.edge()


def _read(html: str) -> str:
    texts: list[str] = []
    for token in TOKEN.finditer(html):
        text, bare = token.group("text", "bare")
        texts.append(visible(text) + (bare or " "))
    return " ".join("".join(texts).split())


def _one_line(text: str) -> str:
    return " ".join(shown(text).split())
