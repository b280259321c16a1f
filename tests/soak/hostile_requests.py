"""Malformed and hostile requests, each the same for the same seed and number; nothing is sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

import orjson

from tests.soak.hostile_bodies import (
    any_arguments,
    any_envelope,
    any_json,
    any_meta,
    batch,
    dumped,
    garbled,
    modern_body,
)
from tests.soak.hostile_texts import any_text, header_text, token

HOST = "127.0.0.1"
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
_MODERN = "2026-07-28"
_VERSIONS = (_MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "1999-01-01", "")
_PATHS = (
    *("/mcp", "/mcp/", "//mcp", "/MCP", "/servers/calm/mcp", "/servers/none/mcp", "/servers//mcp"),
    *("/servers/calm", "/servers/../mcp", "/servers/%2e%2e/mcp", "/servers/calm/mcp/more", "/sse"),
    *("/messages", "/messages?session_id=x", "/servers/calm/sse", "/contexts", "/status", "/"),
    *("/healthz", "/readyz", "/metrics", "/api/traces", "/.well-known/oauth-protected-resource"),
    *("/.well-known/oauth-protected-resource/mcp", "/.well-known/../mcp", "/%00", "/%ff%fe", "/~"),
    *("http://evil.example/mcp", "*", "/mcp?owner=acme&repo=w", "/mcp?pr_number=x", "/mcp?a=b&a=c"),
    *("/mcp?owner=%00", "/mcp?owner=" + "x" * 3000, "/mcp#x", "/mcp?" + "&".join(["o=1"] * 200)),
)
_VERBS = ("GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT", "BREW", "post")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Bytes in the order in which they are sent, with a pause after each piece but the last.

    One that `leaves` closes its connection without reading; of one that is `bodiless` only the
    head of the answer comes. After one that is not `framed` nobody knows where the next begins.
    """

    kind: str
    pieces: tuple[bytes, ...]
    pause_s: float = 0.0
    leaves: bool = False
    bodiless: bool = False
    framed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What an attacker may know: the port, a good key or none, and a tool's name."""

    port: int
    key: str | None
    tool: str


def attack(seed: int, number: int, target: Target) -> Attack:
    """Return the attack of a number; the same for the same seed, whatever came before."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - to be repeated, not to be secret
    kind = rng.choice(list(_KINDS))
    return _KINDS[kind](rng, target)


def _posted(
    kind: str,
    body: bytes,
    target: Target,
    more: Mapping[str, str] | None = None,
    path: str = "/mcp",
) -> Attack:
    headers = {**_HEADERS, **_known(target), **(more or {})}
    return Attack(kind=kind, pieces=(_head("POST", path, headers, len(body), target) + body,))


def _known(target: Target) -> dict[str, str]:
    return {"Authorization": f"Bearer {target.key}"} if target.key else {}


def _head(
    verb: str, path: str, headers: Mapping[str, str], length: int | None, target: Target
) -> bytes:
    sized = {} if length is None else {"Content-Length": str(length)}
    lines = {"Host": f"{HOST}:{target.port}", **sized, **headers}
    text = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{verb} {path} HTTP/1.1\r\n{text}\r\n".encode("utf-8", "surrogateescape")


def _modern(method: str, name: str | None = None) -> dict[str, str]:
    named = {} if name is None else {"Mcp-Name": name}
    return {"MCP-Protocol-Version": _MODERN, "Mcp-Method": method, **named}


def _json(rng: Random, target: Target) -> Attack:
    body = garbled(rng, modern_body("tools/call", {"name": target.tool, "arguments": {}}))
    return _posted("json", body, target, rng.choice([{}, _modern("tools/call", target.tool)]))


def _envelope(rng: Random, target: Target) -> Attack:
    return _posted("envelope", any_envelope(rng, target.tool), target, {})


def _meta(rng: Random, target: Target) -> Attack:
    params = {"name": target.tool, "arguments": {}, "_meta": any_meta(rng)}
    body = dumped({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    return _posted("meta", body, target, _modern("tools/call", target.tool))


def _arguments(rng: Random, target: Target) -> Attack:
    method, params = any_arguments(rng, target.tool)
    named = params.get("name", params.get("uri"))
    name = named if isinstance(named, str) and named.isascii() and named.isprintable() else None
    headers = _modern(method, name) if rng.random() < 0.7 else {}
    return _posted("arguments", modern_body(method, params), target, headers)


def _headers(rng: Random, target: Target) -> Attack:
    names = (
        *("Mcp-Method", "Mcp-Name", "MCP-Protocol-Version", "Accept", "Content-Type", "Origin"),
        *("Host", "Content-Encoding", "Cookie", "X-Forwarded-For", "traceparent", "Expect"),
        *("Last-Event-ID", "Mcp-Param-Text", "Upgrade", "Connection", "Trailer", "Range"),
    )
    more = {rng.choice(names): header_text(rng) for _ in range(rng.randint(1, 4))}
    if rng.random() < 0.1:
        more |= {
            f"X-{number}": "y" * rng.choice([1, 8000]) for number in range(rng.randint(1, 200))
        }
    body = modern_body("tools/call", {"name": target.tool, "arguments": {}})
    base = _posted("headers", body, target, _modern("tools/call", target.tool) | more)
    return Attack(kind="headers", pieces=base.pieces, framed="Host" not in more)


def _framing(rng: Random, target: Target) -> Attack:
    """Lengths that lie, chunks that are none, lines that end early: the smuggler's tools."""
    body = modern_body("tools/list", {})
    start = f"POST /mcp HTTP/1.1\r\nHost: {HOST}:{target.port}\r\n".encode()
    kind = b"Content-Type: application/json\r\n"
    variants = (
        start + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        start + kind + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + body + b"\r\n0\r\n\r\n",
        start + kind + b"Transfer-Encoding: chunked, identity\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        start + kind + b"Content-Length: -1\r\n\r\n",
        start + kind + b"Content-Length: 1e3\r\n\r\n",
        start + kind + b"Content-Length: 99999999999999999999\r\n\r\n",
        start + kind + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n12345",
        start + b"Content-Length : 4\r\n\r\n1234",
        start + b" folded: x\r\n\r\n",
        b"POST /mcp HTTP/9.9\r\n\r\n",
        b"POST  /mcp HTTP/1.1\r\n\r\n",
        b"GET /mcp\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(64),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        rng.randbytes(rng.randint(1, 300)) + b"\r\n\r\n",
        start + b"X: " + b"a" * rng.choice([7000, 9000, 70_000]) + b"\r\n\r\n",
    )
    return Attack(kind="framing", pieces=(rng.choice(variants),), framed=False)


def _sizes(rng: Random, target: Target) -> Attack:
    more = _known(target) | _HEADERS
    if rng.random() < 0.5:
        declared = rng.choice([4 * 1024 * 1024 + 1, 2**31, 2**63])
        return Attack(
            kind="sizes",
            pieces=(_head("POST", "/mcp", more, declared, target) + b"{",),
            framed=False,
        )
    text = "x" * rng.choice([10_000, 100_000, 600_000])
    return _posted(
        "sizes", modern_body("tools/call", {"name": text, "arguments": {"text": text}}), target
    )


def _slow(rng: Random, target: Target) -> Attack:
    body = modern_body("tools/list", {})
    cut = rng.randint(0, len(body) - 1)
    head = _head(
        "POST", "/mcp", _HEADERS | _known(target) | _modern("tools/list"), len(body), target
    )
    pieces = (head + body[:cut], body[cut : cut + 1])
    return Attack(kind="slow", pieces=pieces, pause_s=rng.choice([0.0, 0.05]), framed=False)


def _batches(rng: Random, target: Target) -> Attack:
    version = {"MCP-Protocol-Version": rng.choice(_VERSIONS)}
    return _posted("batches", batch(rng, target.tool), target, rng.choice([{}, version]))


def _sessions(rng: Random, target: Target) -> Attack:
    verb = rng.choice(["POST", "GET", "DELETE"])
    headers = _HEADERS | _known(target) | {"Mcp-Session-Id": token(rng)}
    headers["MCP-Protocol-Version"] = rng.choice(_VERSIONS)
    if verb == "GET":
        headers |= {"Accept": "text/event-stream", "Last-Event-ID": header_text(rng)}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": rng.choice(["ping", "tools/list"])})
    sent = body if verb == "POST" else b""
    return Attack(kind="sessions", pieces=(_head(verb, "/mcp", headers, len(sent), target) + sent,))


def _cursors(rng: Random, target: Target) -> Attack:
    method = rng.choice([
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ])
    cursor = rng.choice([token(rng), any_text(rng), any_json(rng)])
    return _posted("cursors", modern_body(method, {"cursor": cursor}), target, _modern(method))


def _tokens(rng: Random, target: Target) -> Attack:
    scheme = rng.choice(["Bearer ", "bearer ", "Basic ", "Bearer", "", "Bearer  "])
    more = {"Authorization": scheme + token(rng)} | _modern("tools/list")
    path = rng.choice(["/mcp", "/status", "/contexts", "/servers/calm/mcp"])
    return _posted("tokens", modern_body("tools/list", {}), target, more, path)


def _paths(rng: Random, target: Target) -> Attack:
    verb = rng.choice([*_VERBS, "POST", "POST", "GET", "GET"])
    path = rng.choice(_PATHS)
    body = modern_body("tools/list", {}) if verb in {"POST", "PUT"} else b""
    head = _head(verb, path, _HEADERS | _known(target), len(body), target)
    bodiless = verb in {"HEAD", "CONNECT"}
    return Attack(kind="paths", pieces=(head + body,), bodiless=bodiless, framed=not bodiless)


def _streams(rng: Random, target: Target) -> Attack:
    """Streams that are opened and left, or asked for what nobody may ask."""
    uris = [any_text(rng) for _ in range(rng.choice([0, 1, 300]))]
    asked = rng.choice([{}, {"toolsListChanged": True}, {"resourceSubscriptions": uris}])
    body = modern_body("subscriptions/listen", {"notifications": asked})
    posted = _posted("streams", body, target, _modern("subscriptions/listen"))
    return Attack(kind="streams", pieces=posted.pieces, leaves=rng.random() < 0.5, framed=False)


_KINDS: Mapping[str, Callable[[Random, Target], Attack]] = {
    "json": _json,
    "envelope": _envelope,
    "meta": _meta,
    "arguments": _arguments,
    "headers": _headers,
    "framing": _framing,
    "sizes": _sizes,
    "slow": _slow,
    "batches": _batches,
    "sessions": _sessions,
    "cursors": _cursors,
    "tokens": _tokens,
    "paths": _paths,
    "streams": _streams,
}
KINDS = tuple(_KINDS)
