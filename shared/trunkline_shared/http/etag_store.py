"""Bodies that a vendor may confirm with a 304 instead of sending them again.

It always asks the vendor, so nothing in it can be stale. ETags belong to one credential: the key
holds its fingerprint, so that no answer is ever shown under another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from cachetools import LRUCache

from trunkline_shared.exchange import Response
from trunkline_shared.http.outgoing import Outgoing

DEFAULT_BYTES = 32 * 1024 * 1024
_OK, _NOT_MODIFIED = 200, 304
_ENTRY_OVERHEAD = 1024


@dataclass(frozen=True, slots=True)
class Key:
    """What an answer depends on."""

    credential: str
    method: str
    url: str
    varying: tuple[str, ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class EtagStore:
    """The least recently used answers, bounded by their bytes in memory."""

    entries: LRUCache[Key, Response] = field(default_factory=_store)

    @classmethod
    def of(cls, limit: int) -> "EtagStore":
        """Return a store of at most `limit` bytes."""
        return cls(entries=_store(limit))

    def get(self, at: Key) -> Response | None:
        return self.entries.get(at)

    def forget(self, at: Key) -> None:
        """Drop an answer that turned out to be unusable: a 304 would only confirm it."""
        self.entries.pop(at, None)

    def answered(self, at: Key, stored: Response | None, response: Response) -> Response:
        """Keep a 200 that can be confirmed, and turn a 304 into the stored answer."""
        if response.status == _NOT_MODIFIED and stored is not None:
            fresh = {**stored.headers, **_limits(response.headers)}
            return replace(stored, headers=fresh, received_at=response.received_at, confirmed=True)
        if at.method == "GET" and response.status == _OK and "etag" in response.headers:
            self._keep(at, response)
        return response

    def _keep(self, at: Key, response: Response) -> None:
        if _size(response) <= self.entries.maxsize:
            self.entries[at] = response
        else:
            self.entries.pop(at, None)


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
