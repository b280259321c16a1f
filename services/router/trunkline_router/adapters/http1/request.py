"""A request as bytes, RFC 9112."""

import base64
from collections.abc import Mapping

from yarl import URL

# The servers are near: packing an answer costs more than it saves.
_SAID = {"Accept-Encoding": "identity", "User-Agent": "trunkline-router"}


def head_of(verb: str, url: URL, headers: Mapping[str, str]) -> str:
    """Return how each request to a URL begins; `headers` come before what is said of oneself.

    Of several that differ in case alone the last is sent.
    Raises ValueError for a header that would end before its end.
    """
    given = {name.lower(): (name, value) for name, value in headers.items()}
    said = {"Host": url.host_port_subcomponent or "", **_authorization(url), **_SAID}
    kept = {name: value for name, value in said.items() if name.lower() not in given}
    return f"{verb} {url.raw_path_qs} HTTP/1.1\r\n{lines_of(kept)}{lines_of(dict(given.values()))}"


def lines_of(headers: Mapping[str, str]) -> str:
    """Return headers as they are sent. Raises ValueError for one that would end before its end."""
    lines = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
    many = len(headers)
    if lines.count("\n") != many or lines.count("\r") != many or "\0" in lines:
        raise ValueError("a header has a line end in it")
    return lines


def message_of(head: str, body: bytes | None) -> bytes:
    """Return a whole request, in one piece so that it is sent in one; None for no body at all."""
    if body is None:
        return f"{head}\r\n".encode(errors="surrogateescape")
    # What was read with escapes, such as a session's id, goes back as the bytes that it was.
    whole = f"{head}Content-Length: {len(body)}\r\n\r\n".encode(errors="surrogateescape")
    return whole + body


def _authorization(url: URL) -> Mapping[str, str]:
    """Return the credentials of a URL as a header; RFC 7617."""
    if url.user is None and url.password is None:
        return {}
    pair = f"{url.user or ''}:{url.password or ''}".encode()
    return {"Authorization": f"Basic {base64.b64encode(pair).decode()}"}
