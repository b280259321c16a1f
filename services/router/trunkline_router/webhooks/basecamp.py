"""Basecamp's deliveries, which nothing signs: whoever sends one knows the secret in the URL.

https://github.com/basecamp/bc3-api/blob/master/sections/webhooks.md
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_router.cache.hooks import Lesson
from trunkline_router.cache.needed_events import COMMENT, RECORDING
from trunkline_router.model import Json
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told, Unproven
from trunkline_router.webhooks.proof import is_any_of
from trunkline_router.webhooks.shape import inner, number_in, text_in

_ADDRESS = re.compile(r"https://[A-Za-z0-9.:-]+/([1-9][0-9]{0,18})/")
_KIND = re.compile(r"[a-z0-9_:]{1,100}")
_OF_CHILDREN = ("active", "archived", "trashed", "deleted", "publicized", "copied", "inserted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Basecamp:
    """Proves and reads them. A delivery has one recording in it, far less than a mebibyte."""

    name: str = "basecamp"
    variable: str = "TRUNKLINE_BASECAMP_WEBHOOK_SECRET"
    most_bytes: int = 1024 * 1024
    media: tuple[str, ...] = ("application/json",)

    def claims(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a URL without a known secret: no body is read for it."""
        self.prove(arrived, secrets)

    def prove(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a URL without a known secret."""
        if not is_any_of(arrived.rest.encode("utf-8", "surrogateescape"), secrets):
            raise Unproven("The URL must end with the secret: /webhooks/basecamp/SECRET.")

    def read(self, arrived: Arrived, content: Json) -> Told:
        """Return what is told: nothing of it is believed but what may have changed.

        Raises Malformed for one without a kind.
        """
        kind = text_in(content, "kind")
        if not _KIND.fullmatch(kind):
            raise Malformed("kind must name the event, such as todo_completed.")
        return Told(
            # A delivery has no id of its own; what is sent again has the same body.
            id=hashlib.sha256(arrived.body).hexdigest(),
            event=kind,
            tags=tuple(dict.fromkeys(_spoiled(kind, content))),
            lessons=tuple(_lessons(kind, content)),
        )


def _spoiled(kind: str, content: Json) -> Iterator[str]:
    recording = inner(content, "recording")
    for about in (recording, inner(content, "copy")):
        project = _project(about, recording)
        id_ = number_in(about, "id")
        if not project or id_ is None:
            continue
        yield f"{project}:{id_}"
        parent = number_in(inner(about, "parent"), "id")
        if parent is not None:
            yield f"{project}:{parent}"
        if kind.endswith(_OF_CHILDREN):
            # What this does to the recordings beneath is not told.
            yield project


def _project(about: Json, recording: Json) -> str:
    url = text_in(about, "url") or text_in(recording, "url")
    found = _ADDRESS.match(url)
    project = number_in(inner(about, "bucket"), "id")
    return "" if found is None or project is None else f"bc:{found[1]}:{project}"


def _lessons(kind: str, content: Json) -> Iterator[Lesson]:
    recording = inner(content, "recording")
    project = _project(recording, recording)
    if project:
        of = COMMENT if kind.startswith("comment_") else RECORDING
        yield Lesson(subject=project, kinds=frozenset({of}))
