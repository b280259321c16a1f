"""The connections to Redis that a process has, whichever way the URL leads to it."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ssl import SSLContext
from typing import Any, Self

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import SSLConnection, parse_url
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from trunkline_shared.settings import ConfigurationError
from trunkline_shared.store.redis_client import RedisClient
from trunkline_shared.store.redis_failures import FAILURES
from trunkline_shared.store.redis_link import Greeting, Place, RedisLink
from trunkline_shared.store.redis_member import ROOT
from trunkline_shared.store.redis_url import CLUSTER, SENTINEL, RedisUrl, parse
from trunkline_shared.store.shared_turns import TIMEOUT_S

_CONNECTIONS = 8
_LISTENERS = 10_000


class _SentinelPool(SentinelConnectionPool, BlockingConnectionPool):
    """Connections to whichever server is the master; who finds none free waits for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisClients:
    """`commands` for what is asked, `listening` for what is subscribed to."""

    commands: RedisClient
    listening: RedisClient
    url: RedisUrl
    _options: Mapping[str, Any] = field(repr=False)
    _tls: SSLContext | None = None

    @classmethod
    def of(cls, text: str) -> Self:
        """Return clients that have asked nothing yet. Raises ConfigurationError."""
        url = parse(text)
        try:
            options: dict[str, Any] = dict(parse_url(url.plain))
            commands = _client(url, options, _ASKING)
            return cls(
                commands=commands,
                # Who asks a Cluster follows it where it goes; who only listens would not.
                listening=commands if url.kind == CLUSTER else _client(url, options, _LISTENING),
                url=url,
                _options=options,
                _tls=_tls(options),
            )
        except (TypeError, ValueError, RedisError):
            raise ConfigurationError(
                "TRUNKLINE_REDIS_URL=(secret): its options are not known; leave out what stands "
                "after the question mark"
            ) from None
        except OSError as error:
            raise ConfigurationError(
                f"TRUNKLINE_REDIS_URL=(secret): the certificates that its options name cannot be "
                f"used ({error.strerror or type(error).__name__}); correct the options ssl_..."
            ) from None

    def link(self) -> RedisLink:
        """Return a lean connection to where the generations are."""
        options = self._options
        return RedisLink(
            place=self._place,
            greeting=Greeting(
                username=options.get("username", ""),
                password=options.get("password", ""),
                database=options.get("db", 0),
                tls=self._tls,
            ),
            timeout_s=TIMEOUT_S,
        )

    async def close(self) -> None:
        """Close every connection; one that hangs is left after a second."""
        with suppress(*FAILURES):
            async with asyncio.timeout(TIMEOUT_S):
                await _closed(self.commands)
                await _closed(self.listening)

    async def _place(self) -> Place:
        """Find who keeps the generations. Raises RedisError or OSError."""
        if isinstance(self.commands, RedisCluster):
            # Whatever has moved since, the client follows it and remembers.
            await self.commands.exists(ROOT)
            node = self.commands.get_node_from_key(ROOT.decode())
            assert node is not None
            return str(node.host), int(node.port)
        pool = self.commands.connection_pool
        if isinstance(pool, SentinelConnectionPool):
            host, port = await pool.get_master_address()  # type: ignore[no-untyped-call]  # the library's own gap
            return str(host), int(port)
        path = self._options.get("path")
        return str(path) if path else self.url.nodes[0]


_SHARED: Mapping[str, Any] = {
    "socket_connect_timeout": TIMEOUT_S,
    # What is asked twice could count twice, and would wait twice as long.
    "retry": Retry(NoBackoff(), 0),
    "protocol": 2,
}
_ASKING: Mapping[str, Any] = {
    **_SHARED,
    "socket_timeout": TIMEOUT_S,
    "max_connections": _CONNECTIONS,
}
_LISTENING: Mapping[str, Any] = {**_SHARED, "max_connections": _LISTENERS}
"""Each is held by one listener, for as long as it listens."""
_PLACED = frozenset({"host", "port", "path", "connection_class", "timeout"})


def _client(url: RedisUrl, options: Mapping[str, Any], terms: Mapping[str, Any]) -> RedisClient:
    """Return a client. Raises TypeError, ValueError or RedisError for options unknown to it."""
    if url.kind == CLUSTER:
        return _of_cluster(url, options, terms)
    if url.kind == SENTINEL:
        pool: ConnectionPool = _through_sentinels(url, options, terms)
    else:
        pool = BlockingConnectionPool(**{"timeout": TIMEOUT_S, **terms, **options})
    # The pool makes its first connection with the first question: too late for a wrong option.
    pool.connection_class(**pool.connection_kwargs)
    return Redis(connection_pool=pool)


def _of_cluster(url: RedisUrl, options: Mapping[str, Any], terms: Mapping[str, Any]) -> RedisClient:
    given = {name: value for name, value in options.items() if name not in _PLACED}
    # A node's connections are not waited for, and are those of the listeners as well.
    given["max_connections"] = _LISTENERS
    return RedisCluster(
        startup_nodes=[ClusterNode(host, port) for host, port in url.nodes],
        ssl=_is_tls(options),
        **{**terms, **given},
    )


def _through_sentinels(
    url: RedisUrl, options: Mapping[str, Any], terms: Mapping[str, Any]
) -> _SentinelPool:
    """Return connections to the master; options `sentinel_...` are how Sentinels know us."""
    given = {name: value for name, value in options.items() if name not in _PLACED}
    tls = {name: value for name, value in given.items() if name.startswith("ssl_")}
    asking = {
        **{name: value for name, value in _ASKING.items() if name != "max_connections"},
        "username": given.pop("sentinel_username", None),
        "password": given.pop("sentinel_password", None),
        **({"ssl": True, **tls} if _is_tls(options) else {}),
    }
    sentinels = Sentinel(list(url.nodes), sentinel_kwargs=asking)  # type: ignore[no-untyped-call]  # the library's own gap
    if _is_tls(options):
        given["ssl"] = True
    terms = {"timeout": TIMEOUT_S, **terms, **given}
    return _SentinelPool(url.master, sentinels, **terms)  # type: ignore[no-untyped-call]  # as above


async def _closed(client: RedisClient) -> None:
    await client.aclose()
    if isinstance(client, Redis):
        pool = client.connection_pool
        await pool.disconnect()
        if isinstance(pool, SentinelConnectionPool):
            for sentinel in pool.sentinel_manager.sentinels:
                await sentinel.aclose()


def _is_tls(options: Mapping[str, Any]) -> bool:
    return options.get("connection_class") is SSLConnection


def _tls(options: Mapping[str, Any]) -> SSLContext | None:
    """Return how TLS is spoken. Raises OSError when a certificate cannot be loaded."""
    if not _is_tls(options):
        return None
    given = {name: value for name, value in options.items() if name.startswith("ssl_")}
    return SSLConnection(**given).ssl_context.get()
