"""What a search found, as Basecamp shows it: with the words marked, and the texts themselves null.

https://github.com/basecamp/basecamp-sdk/blob/main/spec/fixtures/search/results.json
"""

import re
from html import escape, unescape

from trunkline_shared.testing.basecamp.payloads.moments import moment
from trunkline_shared.testing.basecamp.payloads.people import person
from trunkline_shared.testing.basecamp.payloads.recordings import bucket, recording
from trunkline_shared.testing.basecamp.recordings import Attachment, Recording
from trunkline_shared.testing.basecamp.urls import Urls

_TAG = re.compile(r"<[^>]*>")
_MARK = '<mark class="circled-text"><span></span>{}</mark>'


def plain(of: Recording) -> tuple[str, str]:
    """Return the name of a recording's text and the text without its markup; "" for none."""
    for name in ("description", "content"):
        html: str | None = getattr(of, name, None)
        if html and html != of.title:
            return name, unescape(_TAG.sub(" ", html)).strip()
    return "content", ""


def hit(of: Recording, words: str, urls: Urls) -> dict[str, object]:
    """Return a recording that was found."""
    name, text = plain(of)
    marked = re.sub(
        re.escape(escape(words)), lambda m: _MARK.format(m[0]), escape(text), flags=re.IGNORECASE
    )
    return {
        **recording(of, urls),
        "content": None,
        "description": None,
        f"plain_text_{name}": marked,
    }


def file_hit(of: Attachment, on: Recording, urls: Urls) -> dict[str, object]:
    """Return a file that was found: it has no id, title, type or address of its own."""
    at = f"/blobs/{of.id}/download/{of.filename}"
    return {
        "created_at": moment(on.created_at),
        "updated_at": moment(on.updated_at),
        "bucket": bucket(on.project),
        "creator": person(on.creator, urls),
        "parent": {
            "id": on.id,
            "title": on.title,
            "type": on.type,
            "url": urls.of(on),
            "app_url": urls.page_of(on),
        },
        "content": None,
        "description": None,
        "filename": of.filename,
        "content_type": of.content_type,
        "byte_size": of.byte_size,
        "width": None if of.width is None else float(of.width),
        "height": None if of.height is None else float(of.height),
        "previewable": of.width is not None,
        "download_url": urls.to(at),
        "app_download_url": urls.on_web(at),
    }
