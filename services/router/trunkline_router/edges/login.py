"""`/login` and `/logout` on HTTP: a key in, a cookie out that holds no key."""

import logging
import math
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

import orjson
from aiohttp import web

from trunkline_router.access.browser_sessions import LASTS_S
from trunkline_router.edges.json_pages import json_body, method_not_allowed
from trunkline_router.identity.bearer import COOKIE_NAME
from trunkline_router.identity.callers import Callers
from trunkline_router.identity.failed_logins import FailedLogins
from trunkline_router.identity.own_page import may_not_be_another
from trunkline_router.identity.scopes import LOGOUT
from trunkline_router.model import Limits
from trunkline_router.wire.body import read_small_body
from trunkline_router.wire.refusal import Refused, invalid_request

_FORM: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS = 8
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginPage:
    """Lets a browser in that shows a key once, and out again."""

    callers: Callers
    failed: FailedLogins
    limits: Limits

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer a request for `LOGIN` or `LOGOUT`. Raises Refused."""
        if http.method != "POST":
            return method_not_allowed(f"{path} takes POST only.", "POST")
        may_not_be_another(http.headers, self.callers.base)
        if path == LOGOUT:
            return self._answer("", 0)
        if not self.callers.authenticate:
            raise invalid_request(
                "There is nothing to log in to: this router asks nobody for a key.", status=404
            )
        return await self._login(http, http.remote or "")

    async def _login(self, http: web.BaseRequest, peer: str) -> web.Response:
        key = _shown(http, await read_small_body(http, self.limits))
        wait_s = self.failed.wait_s(peer)
        if wait_s:
            return _too_many(wait_s)
        try:
            session = await self.callers.session_of(key)
        except Refused as refusal:
            if refusal.status == HTTPStatus.UNAUTHORIZED:
                self.failed.note(peer)
                log.warning("a login from %s was refused", peer)
            raise
        log.info("%s has logged in to the dashboard from %s", session.subject, peer)
        lasts_s = min(LASTS_S, session.expires - self.callers.sessions.clock.now())
        return self._answer(self.callers.sessions.written(session), math.ceil(lasts_s))

    def _answer(self, value: str, lasts_s: int) -> web.Response:
        """Return 204 with a cookie that lasts for some seconds; 0 takes it away."""
        secure = "; Secure" if self.callers.base.startswith("https:") else ""
        headers = {
            "Set-Cookie": f"{COOKIE_NAME}={value}; Path=/; Max-Age={lasts_s}; HttpOnly; "
            f"SameSite=Strict{secure}",
            "Cache-Control": "no-store",
        }
        return web.Response(status=HTTPStatus.NO_CONTENT, headers=headers)


def _shown(http: web.BaseRequest, body: bytes) -> str:
    """Return the key of a JSON object or of a form. Raises Refused."""
    key = _of_form(body) if http.content_type == _FORM else _of_json(body)
    if not isinstance(key, str) or not key.strip():
        raise invalid_request('Send {"key": "tl_…"}, or a form with the field key.')
    return key.strip()


def _of_form(body: bytes) -> object:
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        return None
    return fields.get("key", [None])[0]


def _of_json(body: bytes) -> object:
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return given.get("key") if isinstance(given, dict) else None


def _too_many(wait_s: int) -> web.Response:
    response = json_body(
        {"error": f"Too many logins from this address have failed; try again in {wait_s} s."},
        status=HTTPStatus.TOO_MANY_REQUESTS,
    )
    response.headers["Retry-After"] = str(wait_s)
    return response
