"""Jira's deliveries: signed over the body, or with a token of the site's own over the request.

https://developer.atlassian.com/cloud/jira/platform/webhooks/
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from trunkline_router.cache.hooks import Lesson
from trunkline_router.cache.needed_events import COMMENT, ISSUE
from trunkline_router.model import Json
from trunkline_router.webhooks.delivery import Arrived, Malformed, Told, Unproven
from trunkline_router.webhooks.proof import prove_signed, signature_in
from trunkline_router.webhooks.shape import inner, objects_in, text_in
from trunkline_shared.clock import Clock

HEADER = "X-Hub-Signature"
TOKEN = "JWT "  # noqa: S105 - the scheme's name
_MEBIBYTE = 1024 * 1024
_KEY = re.compile(r"[A-Z][A-Z0-9_]{0,99}-[1-9][0-9]{0,18}")
_EVENT = re.compile(r"[a-z_:-]{1,100}")
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Jira:
    """Proves and reads them. `sites` are the names that the mesh's tags have for Jira sites.

    A delivery has one issue in it, with its whole description and what has changed; Atlassian
    sends 25 MB at most.
    """

    clock: Clock
    sites: Callable[[], Collection[str]]
    name: str = "jira"
    variable: str = "TRUNKLINE_JIRA_WEBHOOK_SECRET"
    most_bytes: int = 25 * _MEBIBYTE
    media: tuple[str, ...] = ("application/json",)

    def claims(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a delivery without a signature, and for a token that proves nothing.

        A token does not cover the body, so it is proven before that is read.
        """
        if arrived.headers.get(HEADER.lower()) is not None:
            signature_in(arrived.headers.get(HEADER.lower()), HEADER)
            return
        given = arrived.headers.get("authorization", "")
        if not given.startswith(TOKEN):
            raise Unproven(f"{HEADER}, or Authorization with a JWT, must be there.")
        from trunkline_router.webhooks.jira_token import prove_token  # noqa: PLC0415 - only a token's use pays for it

        prove_token(given.removeprefix(TOKEN), arrived, secrets, self.clock.now())

    def prove(self, arrived: Arrived, secrets: tuple[bytes, ...]) -> None:
        """Raise Unproven for a signature that is not the body's, or a token of somebody else."""
        self.claims(arrived, secrets)
        given = arrived.headers.get(HEADER.lower())
        if given is not None:
            prove_signed(arrived.body, signature_in(given, HEADER), secrets, HEADER)

    def read(self, arrived: Arrived, content: Json) -> Told:
        """Return what is told. Raises Malformed for one without an event."""
        event = text_in(content, "webhookEvent")
        if not _EVENT.fullmatch(event):
            raise Malformed("webhookEvent must name the event, such as jira:issue_updated.")
        id_ = arrived.headers.get("x-atlassian-webhook-identifier", "")
        digest = hashlib.sha256(arrived.body).hexdigest()
        keys = tuple(dict.fromkeys(_keys(content)))
        sites = self._sites(content)
        return Told(
            # Another site may use the same identifier: it is one's own at one site only.
            id=f"{id_}:{digest}" if _ID.fullmatch(id_) else digest,
            event=event,
            tags=tuple(dict.fromkeys(_spoiled(sites, keys))),
            lessons=tuple(_lessons(event, sites, keys)),
        )

    def _sites(self, content: Json) -> tuple[str, ...]:
        """Return the sites that a delivery may be of, none where that is anybody's guess.

        The mesh calls a site by its host; one behind Atlassian's gateway by its id, and one that
        the server reaches under a name of its own by that. So a host that the mesh does not know
        may be any site.
        """
        known = tuple(self.sites())
        host = _host(content)
        if host in known:
            return (host,)
        return (*known, host) if known and host else known


def _host(content: Json) -> str:
    for name in ("issue", "comment", "project", "user", "version"):
        url = text_in(inner(content, name), "self")
        if url:
            try:
                return (urlsplit(url).hostname or "").lower()
            except ValueError:
                return ""
    return ""


def _keys(content: Json) -> Iterator[str]:
    """Yield the keys of the issue, its former ones too, and of those that show it."""
    issue = inner(content, "issue")
    yield from _sound(text_in(issue, "key"))
    for item in objects_in(inner(content, "changelog"), "items"):
        if text_in(item, "field") == "Key":
            yield from _sound(text_in(item, "fromString"))
            yield from _sound(text_in(item, "toString"))


def _sound(key: str) -> Iterator[str]:
    if _KEY.fullmatch(key.upper()):
        yield key.upper()


def _spoiled(sites: tuple[str, ...], keys: tuple[str, ...]) -> Iterator[str]:
    if not sites:
        yield "jira"
    for site in sites:
        if not keys:
            yield f"jira:{site}"
            continue
        yield from (f"jira:{site}:{key}" for key in keys)
        yield f"jira:{site}:search"


def _lessons(event: str, sites: tuple[str, ...], keys: tuple[str, ...]) -> Iterator[Lesson]:
    """Yield that a project's events come: a webhook may be for some projects only."""
    family = event.removeprefix("jira:").partition("_")[0]
    for site in sites:
        for key in keys if family in {ISSUE, COMMENT} else ():
            project = key.rpartition("-")[0]
            yield Lesson(subject=f"jira:{site}:{project}", kinds=frozenset({family}))
