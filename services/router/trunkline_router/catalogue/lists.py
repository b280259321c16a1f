"""The list results and the introduction, straight from the directory; never from a server."""

from collections.abc import Mapping
from contextlib import suppress

from trunkline_router.catalogue.directory import Directory
from trunkline_router.catalogue.instructions import Health, disabled, instructions_of
from trunkline_router.catalogue.listing import LISTS
from trunkline_router.catalogue.paging import Pages
from trunkline_router.model import Json, Request

KEY_OF: Mapping[str, str] = {method: key for key, (method, _) in LISTS.items()}
PARTIAL_TTL_MS = 5000
_MOST = 16
OWN_INFO: Json = {"name": "trunkline", "title": "Trunkline", "version": "0.1.0"}


def list_result(request: Request, directory: Directory, pages: Pages) -> Json:
    """Return the page of a list that a request asks for. Raises Refused."""
    key = KEY_OF[request.method]
    entries = directory.items.get(key, ())
    page = pages.page(request, key, entries)
    if page[key] is entries:
        # What is nested too deeply to be written is refused where the answer is.
        with suppress(TypeError):
            page[key] = directory.written(key)
    return page


def cache_hints(directory: Directory, now: float, *, for_bearer: bool, partial: bool) -> Json:
    """Return how long a list holds: what is left of the shortest part, less when it is `partial`.

    What the bearer of a token sees is nobody else's.
    """
    left_ms = max(int((directory.expires - now) * 1000), 0)
    return {
        "ttlMs": min(left_ms, PARTIAL_TTL_MS) if partial else left_ms,
        "cacheScope": "public" if directory.public and not for_bearer else "private",
    }


def introduction(directory: Directory, scope: str | None, health: Health, *, listens: bool) -> Json:
    """Return capabilities and instructions: only what some server behind really offers.

    The instructions say how the servers stand at this moment.
    """
    off = disabled(directory, health)
    stand = (scope, listens, *sorted((server, health.failures(server)) for server in off))
    known = directory.introductions.get(stand)
    if known is None:
        if len(directory.introductions) >= _MOST:
            directory.introductions.clear()
        known = _introduction(directory, scope, health, listens=listens)
        directory.introductions[stand] = known
    return dict(known)


def _introduction(
    directory: Directory, scope: str | None, health: Health, *, listens: bool
) -> Json:
    capabilities: Json = {"tools": {"listChanged": listens}}
    if directory.resources or directory.templates:
        capabilities["resources"] = {"listChanged": listens, "subscribe": listens}
    if directory.prompts:
        capabilities["prompts"] = {"listChanged": listens}
    if any(listing.completes for listing in directory.listings):
        capabilities["completions"] = {}
    return {"capabilities": capabilities, "instructions": instructions_of(directory, scope, health)}


def server_info(directory: Directory, scope: str | None) -> Json:
    """Return who answers: the server itself on its own path, the router on the shared one."""
    if scope is not None and directory.listings and directory.listings[0].server_info:
        return directory.listings[0].server_info
    return OWN_INFO
