"""An authorization server on the network: its metadata (RFC 8414, OpenID Connect) and its keys."""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import aiohttp
import orjson

from trunkline_router.configuration.entries import OAuthEntry
from trunkline_router.configuration.web_address import must_be_private
from trunkline_router.identity.key_keeper import IssuerAway
from trunkline_router.identity.key_set import KeySet, key_set_of

_FETCH_S = 10.0
_TIMEOUT = aiohttp.ClientTimeout(total=3.0)
_MOST_BYTES = 256 * 1024
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Issuer:
    """Fetches the keys of the server that the configuration names; nothing else is ever asked."""

    entry: OAuthEntry

    async def keys(self) -> KeySet:
        """Return the keys. Raises IssuerAway."""
        try:
            async with asyncio.timeout(_FETCH_S):
                url = self.entry.jwks_url or await self._discovered()
                return key_set_of(await self._document(url))
        except TimeoutError:
            raise IssuerAway("it takes too long to answer") from None
        except ValueError as fault:
            raise IssuerAway(f"its key set cannot be read: {fault}") from None

    async def _discovered(self) -> str:
        """Return the key set's URL from the first metadata that is this issuer's."""
        troubles: list[str] = []
        for url in metadata_urls(self.entry.issuer):
            try:
                return _keys_url(await self._document(url), self.entry.issuer)
            except IssuerAway as trouble:
                troubles.append(str(trouble))
        raise IssuerAway("; ".join(dict.fromkeys(troubles)))

    async def _document(self, url: str) -> Mapping[str, object]:
        try:
            # Once in ten minutes: a connection of its own costs less than one kept open.
            async with (
                aiohttp.ClientSession(
                    cookie_jar=aiohttp.DummyCookieJar(), timeout=_TIMEOUT
                ) as http,
                http.get(url, allow_redirects=False, headers=_HEADERS) as response,
            ):
                if response.status != HTTPStatus.OK:
                    raise IssuerAway(f"{url} answers HTTP {response.status}")
                return _object(await _bounded(response, url), url)
        except TimeoutError:
            raise IssuerAway(f"{url} takes too long to answer") from None
        except (aiohttp.ClientError, OSError) as error:
            raise IssuerAway(f"{url} cannot be reached ({type(error).__name__})") from None


def metadata_urls(issuer: str) -> Iterator[str]:
    """Yield where an issuer's metadata may be: RFC 8414, section 3.1, then OpenID Connect."""
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    yield f"{origin}/.well-known/oauth-authorization-server{path}"
    yield f"{origin}/.well-known/openid-configuration{path}"
    if path:
        yield f"{origin}{path}/.well-known/openid-configuration"


def same_issuer(one: object, other: str) -> bool:
    """Say whether two issuers are one; a slash at the end makes no other."""
    return isinstance(one, str) and one.rstrip("/") == other.rstrip("/")


def _keys_url(metadata: Mapping[str, object], issuer: str) -> str:
    # RFC 8414, section 3.3: metadata of another issuer must not be used.
    if not same_issuer(metadata.get("issuer"), issuer):
        raise IssuerAway("its metadata names another issuer")
    url = metadata.get("jwks_uri")
    try:
        return must_be_private(str(url))
    except ValueError:
        raise IssuerAway("its metadata names no key set at an https URL") from None


async def _bounded(response: aiohttp.ClientResponse, url: str) -> bytes:
    whole = bytearray()
    async for chunk in response.content.iter_any():
        whole += chunk
        if len(whole) > _MOST_BYTES:
            raise IssuerAway(f"{url} answers more than {_MOST_BYTES} bytes")
    return bytes(whole)


def _object(raw: bytes, url: str) -> Mapping[str, object]:
    try:
        document = orjson.loads(raw)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise IssuerAway(f"{url} answers something that is no JSON object")
    return document
