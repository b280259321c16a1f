"""What the URL of a Redis says: one server, one found through Sentinels, or a Cluster."""

from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

ONE, SENTINEL, CLUSTER = "", "+sentinel", "+cluster"
_PORTS = {ONE: 6379, SENTINEL: 26379, CLUSTER: 6379}
_HIGHEST_PORT = 65535
HOW = (
    "write redis://[user:password@]host[:port][/number], rediss://... for TLS, "
    "unix:///path/to/socket, redis+sentinel://[user:password@]host[:port],host/master-name"
    "[/number] or redis+cluster://[user:password@]host[:port],host (rediss+... for TLS), special "
    "characters of the password percent-encoded; or leave it unset to keep all of it in the process"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisUrl:
    """`nodes` are the server, the Sentinels, or some nodes of the Cluster.

    `plain` names the first of them in the form that the client library reads, with the user, the
    password, the database and the options.
    """

    kind: str
    nodes: tuple[tuple[str, int], ...]
    master: str = ""
    plain: str = field(repr=False)


def parse(text: str) -> RedisUrl:
    """Read a URL. Raises ValueError, which says what is wrong with it and repeats no secret."""
    if "#" in text or not text.isprintable() or " " in text:
        raise ValueError("it has a space or a #")
    try:
        parts = urlsplit(text)
    except ValueError:
        raise ValueError("its host is no address") from None
    base, plus, kind = parts.scheme.partition("+")
    if parts.scheme == "unix":
        if not parts.path.strip("/"):
            raise ValueError("it names no socket")
        return RedisUrl(kind=ONE, nodes=(), plain=text)
    if base not in {"redis", "rediss"} or plus + kind not in _PORTS:
        raise ValueError(f"its scheme {parts.scheme!r} is none of a Redis")
    return _over_tcp(parts, base, plus + kind)


def _over_tcp(parts: SplitResult, base: str, kind: str) -> RedisUrl:
    user, at, hosts = parts.netloc.rpartition("@")
    nodes = tuple(_node(host, _PORTS[kind]) for host in hosts.split(","))
    if kind == ONE and len(nodes) > 1:
        raise ValueError("it names several hosts, which need +sentinel or +cluster in the scheme")
    master, number = _path(parts.path.strip("/"), kind)
    first, port = nodes[0]
    host = f"[{first}]" if ":" in first else first
    query = f"?{parts.query}" if parts.query else ""
    return RedisUrl(
        kind=kind,
        nodes=nodes,
        master=master,
        plain=f"{base}://{user}{at}{host}:{port}/{number}{query}",
    )


def _path(path: str, kind: str) -> tuple[str, str]:
    """Return the master's name and the database's number, as far as the path has them."""
    master, _, number = path.partition("/") if kind == SENTINEL else ("", "", path)
    if kind == SENTINEL and not master:
        raise ValueError("it names no master after the Sentinels")
    if number and not (number.isascii() and number.isdecimal()):
        raise ValueError("its database is no number")
    if kind == CLUSTER and number.strip("0"):
        raise ValueError("it names a database, and a Cluster has only the first one")
    return unquote(master), number


def _node(text: str, port: int) -> tuple[str, int]:
    bracket = text.rfind("]")
    host, colon, digits = text.rpartition(":") if text.rfind(":") > bracket else (text, "", "")
    if colon:
        port = int(digits) if digits.isascii() and digits.isdecimal() else 0
    if not host.strip("[]") or not 0 < port <= _HIGHEST_PORT:
        raise ValueError("a host or its port is missing or wrong")
    return host.strip("[]"), port
