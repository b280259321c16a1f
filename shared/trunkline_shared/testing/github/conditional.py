"""Conditional requests: `ETag` and `Last-Modified`, and 304 for what has not changed."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime

import orjson

from trunkline_shared.testing.github.call import Answer

CACHING = {
    "cache-control": "private, max-age=60, s-maxage=60",
    "vary": "Accept, Authorization, Cookie, X-GitHub-OTP",
}


def revalidated(answer: Answer, headers: Mapping[str, str], audience: str) -> Answer:
    """Return the answer with its validators, or 304 when the caller has it already.

    `audience` is the caller's token: an entity tag of one token is worth nothing to another.
    `If-None-Match` stands over `If-Modified-Since` (RFC 9110, 13.2.2).
    """
    said = orjson.dumps([answer.json, answer.text])
    digest = hashlib.sha256(audience.encode() + said).hexdigest()
    validators = {**CACHING, "etag": f'W/"{digest}"'}
    if answer.last_modified is not None:
        validators["last-modified"] = format_datetime(answer.last_modified, usegmt=True)
    if _unchanged(headers, validators["etag"], answer.last_modified):
        return Answer(status=304, headers=validators)
    return replace(answer, headers={**answer.headers, **validators})


def _unchanged(headers: Mapping[str, str], etag: str, modified: datetime | None) -> bool:
    if "if-none-match" in headers:
        known = {one.strip().removeprefix("W/") for one in headers["if-none-match"].split(",")}
        return etag.removeprefix("W/") in known or "*" in known
    since = headers.get("if-modified-since")
    return since is not None and modified is not None and modified <= parsedate_to_datetime(since)
