"""The dashboard's page on HTTP: `/` for browsers, and the files that it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol

from aiohttp import web
from aiohttp.hdrs import ACCEPT_ENCODING, IF_NONE_MATCH

from trunkline_router.dashboard.assets import Asset, assets
from trunkline_router.edges.json_pages import method_not_allowed, not_found
from trunkline_router.identity.scopes import STATIC

PAGE = f"{STATIC}index.html"
_SOURCES: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}
"""Content Security Policy 3: nothing but the page's own files, and no text that becomes markup."""
_GUARDS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in _SOURCES.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_HEADERS: Mapping[str, str] = {
    **_GUARDS,
    # Always asked for again, and answered by 304 as long as it is the same.
    "Cache-Control": "no-cache",
    "Vary": "Accept, Accept-Encoding",
}


class DashboardPage(Protocol):
    """One path that the page asks about itself."""

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer one HTTP request. Raises Refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dashboard:
    """Gives a browser the page, in which nothing is secret: what it shows, it has to ask for.

    `pages` are the paths that let it in, and tell it who it is.
    """

    pages: Mapping[str, DashboardPage]
    files: Mapping[str, Asset] = field(default_factory=assets)

    def have(self, path: str) -> bool:
        """Say whether a path is one of its."""
        return path.startswith(STATIC) or path in self.pages

    def path_of(self, http: web.BaseRequest, path: str) -> str:
        """Return the path that is meant: `/` is the page to whoever takes HTML."""
        if path != "/" or "index.html" not in self.files:
            return path
        return PAGE if "text/html" in http.headers.get("Accept", "").lower() else path

    async def handle(self, http: web.BaseRequest, path: str) -> web.Response:
        """Answer a request for a file, or for one of the pages. Raises Refused."""
        page = self.pages.get(path)
        if page is None:
            return self._file(http, path)
        response = await page.handle(http, path)
        response.headers.update(_GUARDS)
        return response

    def _file(self, http: web.BaseRequest, path: str) -> web.Response:
        asset = self.files.get(path.removeprefix(STATIC))
        if asset is None:
            response = not_found(f"There is nothing at {path[:200]}; the page is at /.")
        elif http.method not in {"GET", "HEAD"}:
            response = method_not_allowed("The page is read by GET.", "GET", "HEAD")
        else:
            response = _response(http, asset)
        response.headers.update(_HEADERS)
        return response


def _response(http: web.BaseRequest, asset: Asset) -> web.Response:
    packed = not asset.dense and _unpacks(http.headers.get(ACCEPT_ENCODING, ""))
    # Another tag for other bytes: RFC 9110, section 8.8.3.3.
    tag = f'"{asset.tag}-gzip"' if packed else f'"{asset.tag}"'
    if _has(http.headers.get(IF_NONE_MATCH, ""), tag):
        return web.Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": tag})
    headers = {"Content-Type": asset.content_type, "ETag": tag}
    if packed:
        headers["Content-Encoding"] = "gzip"
    return web.Response(body=asset.gzipped if packed else asset.content, headers=headers)


def _unpacks(encodings: str) -> bool:
    """Say whether gzip is named, and not by a weight of 0: RFC 9110, section 12.5.3."""
    for each in encodings.lower().replace(" ", "").split(","):
        name, _, weight = each.partition(";q=")
        if name == "gzip":
            return weight.strip("0.") != "" or not weight
    return False


def _has(known: str, tag: str) -> bool:
    """Say whether a browser has it; RFC 9110, section 13.1.2: weak tags compare as well."""
    return any(each.strip().removeprefix("W/") in {tag, "*"} for each in known.split(","))
