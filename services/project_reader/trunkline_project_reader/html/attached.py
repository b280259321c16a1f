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

TAGS = frozenset({"bc-attachment", "action-text-attachment"})

_NEXT = re.compile(r"<(/?+)(?:bc|action-text)-attachment(?=[\t\n\f\r />])[^>]*+>?+", re.IGNORECASE)
_SILENT = re.compile(r"<(script|style|template)\b.*?(?:</\1\b|\Z)", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True)
class Inside:
    """What Basecamp rendered between the tags."""

    text: str = ""
    figcaption: str = ""
    alt: str = ""
    url: str = ""


def between(html: str, at: int) -> tuple[int, int] | None:
    """Return where the inside of a tag that ends at `at` ends, and where its end tag does.

    None for a tag without an end tag before the next one: what follows it is not its inside.
    """
    match = _NEXT.search(html, at)
    return match.span() if match and match[1] else None


def put(
    page: Page, given: Mapping[str, str], inner: str, listed: ListedAttachment
) -> str | Attachment:
    """Put an attachment on the page; return it, or the name of who is mentioned."""
    inside = _inside(inner)
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
    name = inside.figcaption or inside.alt or inside.text or "someone"
    page.text(f"@{name.removeprefix('@')}")
    return name.removeprefix("@")


def _picture(page: Page, found: Attachment, inside: Inside) -> None:
    said = found.caption or found.filename or inside.figcaption or inside.alt
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
    url = found.download_url or inside.url or found.url
    said = " ".join(shown(title).split()) or found.filename or inside.text or url
    page.edge()
    page.linked(url, said or "[attachment: link]")
    page.edge()


def _unknown(page: Page, found: Attachment, inside: Inside) -> None:
    """Something that only Basecamp knows: its type, its link, and what is to be read in it."""
    page.edge()
    url = found.download_url or found.url or inside.url
    page.linked(url, f"[attachment: {found.content_type or 'unknown'}]")
    said = " ".join(filter(None, (found.caption, inside.text)))
    if said:
        page.linked("", f" {said}")
    page.edge()


def _inside(html: str) -> Inside:
    """Read the little that an inside is asked for."""
    inside = Inside()
    texts: list[str] = []
    captions: list[str] = []
    captioned = False
    for token in TOKEN.finditer(_SILENT.sub("", html)):
        if token.lastgroup in {"text", "bare"}:
            texts.append(visible(token[0]))
            captions.extend(texts[-1:] if captioned else ())
        elif token.lastgroup == "tag":
            name = token["name"].lower()
            captioned = not token["closing"] if name == "figcaption" else captioned
            texts.append(" ")
            if not token["closing"]:
                _note(inside, name, token["attributes"])
    inside.text = " ".join("".join(texts).split())
    inside.figcaption = " ".join("".join(captions).split())
    return inside


def _note(inside: Inside, name: str, written: str) -> None:
    if name == "img" and not inside.alt:
        inside.alt = " ".join(shown(attributes(written).get("alt", "")).split())
    elif name == "a" and not inside.url:
        inside.url = address(attributes(written).get("href", ""))
