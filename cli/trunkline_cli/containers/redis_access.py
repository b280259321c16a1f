"""Who may do what in the mesh's Redis: a user for each container, held to the keys it needs."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

ADDRESS = "redis:6379/0"
_PASSWORD = re.compile(r"redis://[^:@/]+:([^@/]+)@")
_KEYS = "trunkline:1:"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisUser:
    """One container's user; patterns follow the prefix that all of Trunkline's keys have."""

    name: str
    keys: tuple[str, ...]
    channels: tuple[str, ...] = ()
    commands: str

    @property
    def secret(self) -> str:
        """The name of the secret that holds the user's URL."""
        return f"redis_url_{self.name.replace('-', '_')}"

    def rule(self, password: str) -> str:
        """Return the user's line in Redis' file of users, with the password as a hash."""
        digest = sha256(password.encode()).hexdigest()
        channels = "".join(f" &{_KEYS}{each}" for each in self.channels)
        keys = "".join(f" ~{_KEYS}{each}" for each in self.keys)
        return (
            f"user {self.name} on #{digest} resetchannels{channels} resetkeys{keys} "
            f"-@all {self.commands}"
        )


_ROUTER = (
    "+evalsha +eval +script|load +time +info +get +set +del +exists +pttl +pexpire +mget +hmget "
    "+hset +zadd +zrem +zcard +zcount +zscore +zrange +zremrangebyscore +publish +subscribe "
    "+unsubscribe +ping +select +client|setname +multi +exec"
)
_SERVER = (
    "+evalsha +eval +script|load +time +get +set +del +pexpire +zadd +zrem +zrange "
    "+zremrangebyscore +ping +select +client|setname"
)
_OF_GITHUB = ("turns:*", "etag:*")
_HEALTH = "user default on nopass resetchannels resetkeys -@all +ping"
"""Whoever reaches Redis may ask whether it is alive: the container's own check does."""

USERS = (
    RedisUser(name="router", keys=("*",), channels=("*",), commands=_ROUTER),
    *(
        RedisUser(name=container, keys=_OF_GITHUB, commands=_SERVER)
        for container in ("comment", "inline-review", "ci-status", "issues")
    ),
    RedisUser(
        name="project-reader", keys=("records:*", "record-holds:*", "etag:*"), commands=_SERVER
    ),
)


def secrets_of(kept: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield the URL of each user and the file of all users, by the names of their secrets.

    `kept` tells what is there already: a password that was once made stays.
    """
    passwords: Mapping[RedisUser, str] = {
        user: _password(kept(user.secret)) or secrets.token_urlsafe(32) for user in USERS
    }
    for user, password in passwords.items():
        yield user.secret, f"redis://{user.name}:{password}@{ADDRESS}"
    rules = (user.rule(password) for user, password in passwords.items())
    yield "redis_acl", "\n".join((_HEALTH, *rules, ""))


def _password(url: str) -> str:
    found = _PASSWORD.match(url)
    return found[1] if found else ""
