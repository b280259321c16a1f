"""Bodies that are nearly JSON-RPC, in every way that they can fail to be."""

from collections.abc import Mapping
from random import Random

import orjson

from tests.soak.hostile_texts import any_text, token

Json = dict[str, object]
_META: Json = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
_METHODS = (
    *("initialize", "ping", "tools/list", "tools/call", "resources/read", "prompts/get"),
    *("completion/complete", "server/discover", "logging/setLevel", "resources/subscribe"),
    *("notifications/cancelled", "notifications/initialized", "subscriptions/listen", "no/such"),
    *("", "rpc.discover", "tools/call\x00", "TOOLS/CALL"),
)
_DEEP = 200


def modern_body(method: str, params: Mapping[str, object]) -> bytes:
    """Return a request that is sound but for its params."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": _META, **params}}
    return dumped(body)


def dumped(value: object) -> bytes:
    """Return a value as JSON; in place of one that has no form in it, what is near it."""
    try:
        return orjson.dumps(value)
    except (TypeError, orjson.JSONEncodeError):
        # A lone surrogate, or a number beyond 64 bits: what no honest client can write.
        return b'{"jsonrpc": "2.0", "id": 1, "method": "\\ud800", "params": {"n": 1e400}}'


def any_json(rng: Random, depth: int = 3) -> object:
    """Return a value of any type."""
    plain: list[object] = [None, True, False, 0, -1, 1.5, 2**53 + 1, 2**63 - 1, any_text(rng)]
    if depth == 0 or rng.random() < 0.6:
        return rng.choice(plain)
    items = [any_json(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return items if rng.random() < 0.5 else {any_text(rng)[:50]: item for item in items}


def garbled(rng: Random, body: bytes) -> bytes:
    """Return a sound body with something done to it."""
    at = rng.randint(0, len(body))
    deep = rng.choice([50, 500, 5000, 100_000])
    return rng.choice([
        *(body[:at], body[at:], body + body, body[:at] + rng.randbytes(3) + body[at:]),
        *(b"\xef\xbb\xbf" + body, body.decode().encode("utf-16"), b"", b" ", b"null", b'"x"', b"7"),
        *(b"[" * deep, b'{"a":' * deep, b"[" * deep + b"]" * deep, b"NaN", b"{'a': 1}", b"\x00"),
        *(body[:-1] + b',"id":2}', body.replace(b'"2.0"', b"2.0"), b"\xff" * 20, b"1e400"),
    ])


def any_envelope(rng: Random, tool: str) -> bytes:
    """Return an object whose parts are of any type."""
    sound: Json = {
        "jsonrpc": "2.0",
        "id": rng.choice([1, "a"]),
        "method": rng.choice(_METHODS),
        "params": {"name": tool, "arguments": {}},
    }
    for key in rng.sample(list(sound), rng.randint(1, 3)):
        if rng.random() < 0.3:
            del sound[key]
        else:
            sound[key] = any_json(rng)
    if rng.random() < 0.2:
        sound |= {rng.choice(["result", "error"]): any_json(rng)}
    return dumped(sound)


def any_meta(rng: Random) -> object:
    """Return the `_meta` of a request, some of it forged."""
    forged: Json = dict(_META)
    names = (
        *("io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"),
        *("io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/logLevel", "traceparent"),
        *(
            "progressToken",
            "dev.trunkline/bind",
            "dev.trunkline/delegation",
            "dev.trunkline/caller",
        ),
        *("dev.trunkline/deadline_ms", "tracestate", "baggage"),
    )
    for name in rng.sample(names, rng.randint(1, 4)):
        forged[name] = rng.choice([any_json(rng), token(rng)[:200]])
    return _writable(forged) if rng.random() < 0.9 else any_json(rng, 0)


def _writable(value: Json) -> Json:
    try:
        orjson.dumps(value)
    except TypeError:
        return dict(_META)
    return value


def any_arguments(rng: Random, tool: str) -> tuple[str, Json]:
    """Return a method that reaches the servers, and params that they will not like."""
    method = rng.choice(["tools/call", "resources/read", "prompts/get", "completion/complete"])
    named = rng.choice([tool, any_text(rng), f"{tool}\x00", tool.upper(), "calm__" + tool])
    params: Json = {"name": named, "arguments": any_json(rng)}
    if method == "resources/read":
        params = {"uri": rng.choice(["soak://item/1", any_text(rng)])}
    if method == "completion/complete":
        params = {"ref": any_json(rng), "argument": any_json(rng)}
    if rng.random() < 0.2:
        params |= {"requestState": token(rng)[:200], "inputResponses": any_json(rng)}
    try:
        orjson.dumps(params)
    except TypeError:
        return method, {"name": tool, "arguments": {"text": "\\ud800"}}
    return method, params


def batch(rng: Random, tool: str) -> bytes:
    """Return an array of messages, empty, too long, nested, or with strangers among them."""
    call: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": {"text": "x"}},
    }
    nested: object = call
    for _ in range(_DEEP):
        nested = [nested]
    messages: list[object] = [
        rng.choice([call, call | {"id": number}, any_json(rng), nested, {"method": "ping"}])
        for number in range(rng.choice([0, 1, 2, 5, 300]))
    ]
    return dumped(messages)
