"""`/api/cache` on HTTP: what the cache does, a tag's invalidation, and what is bumped, as it is."""

import logging
from dataclasses import dataclass
from http import HTTPStatus

import orjson
from aiohttp import web

from trunkline_router.cache.asked_tags import NoTag, asked_tag, doubt_of
from trunkline_router.cache.bump_feed import BumpFeed
from trunkline_router.cache.bumps import Bumps, Cause
from trunkline_router.cache.questions import SERVER
from trunkline_router.cache.report import CacheReport
from trunkline_router.edges.bump_stream import BumpStream
from trunkline_router.edges.json_pages import json_body, method_not_allowed, not_found
from trunkline_router.edges.watching import watched
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import ADMIN, require
from trunkline_router.model import Json, Limits
from trunkline_router.ports import Catalog
from trunkline_router.standing import Standing
from trunkline_router.wire.body import read_small_body
from trunkline_router.wire.channel import EventStream

PATH = "/api/cache"
EVENTS = f"{PATH}/events"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePage:
    """Shows the cache to whoever may observe, and spoils what is kept for an admin."""

    report: CacheReport
    bumps: Bumps
    feed: BumpFeed
    catalog: Catalog
    standing: Standing
    limits: Limits

    async def handle(self, http: web.BaseRequest, path: str) -> web.StreamResponse:
        """Answer one HTTP request at or below `PATH`. Raises Refused."""
        if path == EVENTS:
            if http.method != "GET":
                return method_not_allowed(f"{EVENTS} takes GET only.", "GET")
            return await watched(http, self._tell, standing=self.standing, limits=self.limits)
        if path != PATH:
            return not_found(f"There is nothing at {path[:200]}; try {PATH} or {EVENTS}.")
        if http.method == "POST":
            return await self._invalidated(http)
        if http.method not in {"GET", "HEAD"}:
            message = f'{PATH} is read by GET; POST {{"invalidate": "TAG"}} spoils what is kept.'
            return method_not_allowed(message, "GET", "HEAD", "POST")
        return json_body(self.report.to_json())

    async def _tell(self, stream: EventStream) -> None:
        await BumpStream(stream).tell(self.feed)

    async def _invalidated(self, http: web.BaseRequest) -> web.Response:
        bearer = bearer_of(http.headers)
        require(await self.standing.tokens.verify(bearer), ADMIN)
        try:
            tag = asked_tag(_asked(await read_small_body(http, self.limits)))
        except NoTag as fault:
            told = {"error": fault.problem, "fix": fault.fix}
            return json_body(told, status=HTTPStatus.BAD_REQUEST)
        # Anew, after the body: while it came, the key may have been revoked or made anew.
        caller = await self.standing.tokens.verify(bearer)
        require(caller, ADMIN)
        await self.bumps.bump((tag,), Cause.OPERATOR)
        log.info("what is kept under %s was invalidated by %s", tag, caller.subject)
        return json_body({"bumped": [tag], **self._noted(tag)})

    def _noted(self, tag: str) -> Json:
        """Return a note on a tag that may be misspelt, as far as all servers are listed."""
        directory = self.catalog.directory()
        reads = [tool.policy.reads for tool in directory.tools.values() if tool.policy.reads]
        declared = [SERVER, *(template for each in reads for template in each.tags)]
        note = "" if directory.missing else doubt_of(tag, declared)
        return {"note": note} if note else {}


def _asked(raw: bytes) -> str:
    """Return what is to be invalidated. Raises NoTag."""
    fix = 'Send {"invalidate": "gh:acme/widgets#12"}.'
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise NoTag(f"The body is no JSON: {error}.", fix) from None
    tag = body.get("invalidate") if isinstance(body, dict) else None
    if not isinstance(tag, str) or len(body) != 1:
        raise NoTag("The body is no object with one tag.", fix)
    return tag
