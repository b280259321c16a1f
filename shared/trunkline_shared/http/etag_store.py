"""Bodies that a vendor may confirm with a 304 instead of sending them again.

It always asks the vendor, so nothing in it can be stale. ETags belong to one credential: the key
holds its fingerprint, so that no answer is ever shown under another.
"""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Protocol
from urllib.parse import parse_qsl, urlsplit

import orjson
from cachetools import LRUCache

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.http.shared_answer import from_bytes, to_bytes

DEFAULT_BYTES = 32 * 1024 * 1024
_OK, _NOT_MODIFIED = 200, 304
_ENTRY_OVERHEAD = 1024
_TAG = ":tag"


@dataclass(frozen=True, slots=True)
class Key:
    """What an answer depends on."""

    credential: str
    method: str
    url: str
    varying: tuple[str, ...]

    @property
    def shared_name(self) -> str:
        """Return what it is called among servers; it tells nothing of what was asked."""
        whole = orjson.dumps([self.credential, self.method, self.url, self.varying])
        return hashlib.sha256(whole).hexdigest()


def key(credential: str, request: Outgoing) -> Key:
    """Return the key of a request made with a credential, given by its fingerprint."""
    headers = {name.lower(): value for name, value in request.headers.items()}
    varying = (headers.get("accept", ""), headers.get("x-github-api-version", ""))
    return Key(credential, request.method, request.url, varying)


def _size(response: Response) -> int:
    headers = sum(len(name) + len(value) for name, value in response.headers.items())
    return len(response.body) + headers + _ENTRY_OVERHEAD


def _store(limit: int = DEFAULT_BYTES) -> LRUCache[Key, Response]:
    return LRUCache(limit, getsizeof=_size)


class Others(Protocol):
    """What servers leave for each other; any of it may be lost. Raises UpstreamUnavailable."""

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None: ...

    async def drop(self, key: str) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EtagStore:
    """The least recently used answers, bounded by their bytes in memory; over what others keep.

    `others` are the servers that share a store, where there is one: what one of them was answered
    is confirmed to all that show the same credential. A store that is away is left out.
    """

    entries: LRUCache[Key, Response] = field(default_factory=_store)
    others: Others | None = None

    @classmethod
    def of(cls, limit: int) -> "EtagStore":
        """Return a store of at most `limit` bytes, for one process."""
        return cls(entries=_store(limit))

    async def get(self, at: Key) -> Response | None:
        """Return the answer that the vendor was last known to give."""
        own = self.entries.get(at)
        if self.others is None or at.method != "GET":
            return own
        name = at.shared_name
        if own is not None and await self._shared(name + _TAG) in {None, _tag(own)}:
            return own
        raw = await self._shared(name)
        told = None if raw is None else from_bytes(raw)
        if told is None:
            return own
        self._keep(at, told)
        return told

    async def forget(self, at: Key) -> None:
        """Drop an answer that turned out to be unusable: a 304 would only confirm it."""
        self.entries.pop(at, None)
        if self.others is not None:
            with suppress(UpstreamUnavailable):
                await self.others.drop(at.shared_name)

    async def answered(
        self, at: Key, stored: Response | None, response: Response, *, life_s: float
    ) -> Response:
        """Keep a 200 that can be confirmed, and turn a 304 into the stored answer.

        Others may have it for `life_s` seconds.
        """
        if response.status == _NOT_MODIFIED and stored is not None:
            fresh = {**stored.headers, **_limits(response.headers)}
            return replace(stored, headers=fresh, received_at=response.received_at, confirmed=True)
        if at.method != "GET" or response.status != _OK or "etag" not in response.headers:
            return response
        if _may_go_on_unseen(at, response):
            await self.forget(at)
            return response
        self._keep(at, response)
        if self.others is not None:
            await self._share(at, response, self.others, life_s)
        return response

    def _keep(self, at: Key, response: Response) -> None:
        if _size(response) <= self.entries.maxsize:
            self.entries[at] = response
        else:
            self.entries.pop(at, None)

    async def _shared(self, name: str) -> bytes | None:
        assert self.others is not None
        with suppress(UpstreamUnavailable):
            return await self.others.get(name)
        return None

    async def _share(self, at: Key, response: Response, others: Others, life_s: float) -> None:
        data, name = to_bytes(response), at.shared_name
        with suppress(UpstreamUnavailable):
            if data is None:
                await others.drop(name)
                return
            await others.put(name, data, ttl_s=life_s)
            await others.put(name + _TAG, _tag(response), ttl_s=life_s)


def _may_go_on_unseen(at: Key, response: Response) -> bool:
    """Say whether a list's last page is full: when another one begins behind it, it stays as it is.

    A 304 would then confirm the link that was not there.
    """
    size = dict(parse_qsl(urlsplit(at.url).query)).get("per_page", "")
    if not size.isdecimal() or not response.body.startswith(b"["):
        return False
    if 'rel="next"' in response.headers.get("link", ""):
        return False
    with suppress(ValueError):
        return len(orjson.loads(response.body)) >= int(size)
    return False


def _tag(response: Response) -> bytes:
    return response.headers["etag"].encode(errors="surrogateescape")


def conditional(request: Outgoing, stored: Response | None) -> Outgoing:
    """Return the request with the validators of the stored answer, if there is one."""
    if stored is None:
        return request
    return replace(request, headers={**request.headers, **_validators(stored.headers)})


def _validators(headers: Mapping[str, str]) -> dict[str, str]:
    pairs = (("etag", "If-None-Match"), ("last-modified", "If-Modified-Since"))
    return {asks: headers[has] for has, asks in pairs if has in headers}


def _limits(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.startswith("x-ratelimit-")}
