"""Texts that somebody sends to see what happens."""

import base64
import string
from random import Random

_TEXTS = (
    *("", " ", "..", "../../etc/passwd", "\x00", "\ud800", "\u202e", "\ufeff", "é" * 300, "💥"),
    *("x" * 70_000, "%s%n%x", "${jndi:ldap://evil}", "{{7*7}}", "<script>", "'; DROP TABLE x; --"),
    *("null", "true", "NaN", "-0", "1e999", "__proto__", "constructor", "a\r\nSet-Cookie: x=y"),
    *("file:///etc/passwd", "http://169.254.169.254/", "soak://item/../../x", "soak://item/%00"),
)
_HEADER_CHARACTERS = string.ascii_letters + string.digits + " ;=,/*\"'<>{}%\t\x7f"


def any_text(rng: Random) -> str:
    """Return a known nasty text, or one at random."""
    if rng.random() < 0.7:
        return rng.choice(_TEXTS)
    return "".join(chr(rng.randint(1, 0xD7FF)) for _ in range(rng.randint(0, 40)))


def header_text(rng: Random) -> str:
    """Return a text that ends no header line by itself."""
    known = (
        *("", "*/*", "text/html", "application/json;charset=utf-7", "gzip", "br", "deflate, gzip"),
        *("http://evil.example", "null", "evil.example", "127.0.0.1.evil.example", "[::1", "100-"),
        *("tools/call", "2026-07-28", "websocket", "close, upgrade", "bytes=0-1", "=?base64?x?="),
        *("=?base64?!!!?=", "00-0-0-00", "trailers", "x" * 9000, "\xff\xfe"),
    )
    if rng.random() < 0.7:
        return rng.choice(known)
    return "".join(rng.choices(_HEADER_CHARACTERS, k=rng.randint(0, 60)))


def token(rng: Random) -> str:
    """Return something like a token: signed by nobody, cut, or beside the point."""
    raw = rng.randbytes(rng.randint(1, 120))
    text = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    unsigned = ".".join(_part(part) for part in (b'{"alg":"none"}', b'{"sub":"admin"}')) + "."
    confused = ".".join(_part(part) for part in (b'{"alg":"HS256","kid":"../../x"}', b"{}", raw))
    return rng.choice([
        *(text, text[:8], unsigned, confused, f"tl_soak_{text}", f"tl_{text}", "tl_soak_", "tl__"),
        *("..", "A" * 5000, text + "=" * 5, "eyJ" + text, "\xe9" + text),
    ])


def _part(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")
