"""`/contexts` on HTTP: a bounded JSON body in, a job token or a reason out."""

from dataclasses import dataclass
from http import HTTPStatus

import orjson
from aiohttp import web

from trunkline_router.access.contexts import ContextRefused, Contexts, read_wanted
from trunkline_router.access.query_context import context_of_query, without_search
from trunkline_router.identity.bearer import bearer_of
from trunkline_router.identity.scopes import CONTEXTS, require
from trunkline_router.model import Json, Limits
from trunkline_router.ports import TokenVerifier
from trunkline_router.wire.body import read_small_body
from trunkline_router.wire.refusal import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextsEndpoint:
    """Mints job tokens for whoever the door let in, and checks the contexts of URLs."""

    contexts: Contexts
    tokens: TokenVerifier
    limits: Limits

    def check(self, raw: str) -> None:
        """Raise Refused, HTTP 403, for a URL that is bound to a repository outside the mesh's.

        `raw` is its query string, as it came.
        """
        if not raw or not self.contexts.repositories.allowed:
            return
        try:
            context = context_of_query(without_search(raw)[0])
        except Refused:
            # Not every query is a context; whoever takes it for one says what is wrong with it.
            return
        self.contexts.repositories.check_context(context)

    async def handle(self, http: web.BaseRequest) -> web.Response:
        """Answer one HTTP request. Raises Refused for a caller who is not known."""
        if http.method != "POST":
            return _refused("/contexts takes POST only.", HTTPStatus.METHOD_NOT_ALLOWED)
        try:
            wanted = read_wanted(await self._body(http))
            # Anew, after the body: while it came, the key may have been revoked or made anew.
            caller = await self.tokens.verify(bearer_of(http.headers))
            require(caller, CONTEXTS)
            return _json(self.contexts.minted(caller, wanted), HTTPStatus.CREATED)
        except ContextRefused as refused:
            return _json(refused.body, refused.status)

    async def _body(self, http: web.BaseRequest) -> object:
        try:
            raw = await read_small_body(http, self.limits)
        except Refused as refused:
            status = refused.status or HTTPStatus.BAD_REQUEST
            raise ContextRefused(
                refused.message, "Send a small JSON object.", status=status
            ) from None
        try:
            return orjson.loads(raw)
        except orjson.JSONDecodeError as error:
            raise ContextRefused(
                f"The body is no JSON: {error}.", 'Send an object such as {"bind": {}}.'
            ) from None


def _refused(message: str, status: int) -> web.Response:
    response = _json({"error": message, "fix": "Send POST with a JSON body."}, status)
    response.headers["Allow"] = "POST"
    return response


def _json(body: Json, status: int) -> web.Response:
    # A token is a secret: nothing on the way may keep it.
    headers = {"Content-Type": "application/json", "Cache-Control": "no-store"}
    return web.Response(body=orjson.dumps(body, default=str), status=status, headers=headers)
