"""Conditional requests: an `ETag` on every success of a GET, and 304 for what has not changed."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from trunkline_shared.exchange import Response

_OK = 200


def revalidated(answer: Response, headers: Mapping[str, str], audience: str) -> Response:
    """Return the answer with its entity tag, or 304 when the caller has it already.

    `audience` is the caller's credential: an entity tag of one is worth nothing to another.
    """
    if answer.status != _OK:
        return answer
    etag = f'W/"{hashlib.sha256(audience.encode() + answer.body).hexdigest()[:32]}"'
    if headers.get("if-none-match") == etag:
        return replace(answer, status=304, headers={"etag": etag}, body=b"")
    return replace(answer, headers={**answer.headers, "etag": etag})
