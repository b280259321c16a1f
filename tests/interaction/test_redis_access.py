"""The mesh's users of Redis at a real one: each does what its container needs, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.redis_arrangements import free_ports, over_tcp, told
from trunkline_cli.containers.redis_access import ADDRESS, USERS, RedisUser, secrets_of
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.port import Rhythm, Turn, Wish
from trunkline_shared.store.settings import StoreSettings

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("shipping.up-redis")]

SERVERS = tuple(user for user in USERS if user.name != "router")
OF_GITHUB = tuple(user for user in SERVERS if user.name != "project-reader")
FOREIGN = ("bus:x", "places:x", "entry:x", "lead:x", "{gen}:x", "{buckets}:x", "kept:x")


@dataclass(frozen=True, kw_only=True)
class Guarded:
    """A Redis with the mesh's users, and their URLs by the names of their secrets."""

    port: int
    urls: Mapping[str, str]

    def url(self, user: str) -> str:
        secret = next(each.secret for each in USERS if each.name == user)
        return self.urls[secret].replace(ADDRESS, f"127.0.0.1:{self.port}/0")

    def client(self, user: str) -> redis.Redis:
        return redis.Redis.from_url(self.url(user), decode_responses=True)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """Run a Redis as compose.yaml does."""
    made = dict(secrets_of(lambda _: ""))
    file: Path = tmp_path_factory.mktemp("acl") / "redis_acl"
    file.write_text(made["redis_acl"], encoding="utf-8")
    (port,) = free_ports(1)
    with over_tcp(port, "--aclfile", str(file)):
        yield Guarded(port=port, urls=made)


@pytest.mark.parametrize("user", SERVERS, ids=lambda user: user.name)
async def test_a_server_keeps_answers_for_the_others(guarded: Guarded, user: RedisUser) -> None:
    """Those that it asks its vendor to confirm."""
    settings = load(StoreSettings, {"redis_url": guarded.url(user.name)})
    async with open_store(settings) as store:
        assert store.answers is not None
        await store.answers.put("an answer", b"kept", ttl_s=60)
        assert await store.answers.get("an answer") == b"kept"
        await store.answers.drop("an answer")
        assert await store.answers.get("an answer") is None


@pytest.mark.parametrize("user", OF_GITHUB, ids=lambda user: user.name)
async def test_a_github_server_takes_its_turns_in_redis(guarded: Guarded, user: RedisUser) -> None:
    """Not in its own memory, which is where it would go without Redis."""
    settings = load(StoreSettings, {"redis_url": guarded.url(user.name)})
    key, rhythm = f"github:{user.name}", Rhythm(interval_s=1.0, limits=((5, 60.0),))
    async with open_store(settings) as store:
        first = await store.turns.reserve(Wish(key=key, rhythm=rhythm, latest_s=30))
        second = await store.turns.reserve(Wish(key=key, rhythm=rhythm, latest_s=30))
    assert isinstance(first, Turn)
    assert isinstance(second, Turn)
    assert second.wait_s > 0.5
    with guarded.client("router") as router:
        assert router.zcard(f"trunkline:1:turns:{key}") == 2


async def test_project_reader_keeps_its_tokens_under_a_hold(guarded: Guarded) -> None:
    """Renewed by one at a time."""
    settings = load(StoreSettings, {"redis_url": guarded.url("project-reader")})
    async with open_store(settings) as store:
        async with store.records.held("basecamp", wait_s=1) as record:
            await record.write(b"sealed")
        assert await store.records.read("basecamp") == b"sealed"


@pytest.mark.parametrize("user", SERVERS, ids=lambda user: user.name)
def test_a_server_touches_no_key_of_another(guarded: Guarded, user: RedisUser) -> None:
    """Neither the router's nor, for those who have none, the tokens; in scripts neither."""
    others = [*FOREIGN, *([] if user.name == "project-reader" else ["records:x", "record-holds:x"])]
    if user.name == "project-reader":
        others.append("turns:x")
    with guarded.client(user.name) as client:
        for key in (*(f"trunkline:1:{each}" for each in others), "anything", "trunkline:2:etag:x"):
            for words in (("GET", key), ("SET", key, "1"), ("DEL", key)):
                refused(client, *words)
            refused(client, "EVAL", "return redis.call('GET', KEYS[1])", "1", key)


@pytest.mark.parametrize("user", USERS, ids=lambda user: user.name)
def test_nobody_commands_redis_itself(guarded: Guarded, user: RedisUser) -> None:
    """What keys there are, who the users are, how it is configured, and its end."""
    with guarded.client(user.name) as client:
        for line in ("KEYS *", "SCAN 0", "ACL LIST", "ACL LOAD", "CONFIG GET *", "MONITOR"):
            refused(client, *line.split())
        for line in ("FLUSHALL", "SHUTDOWN", "REPLICAOF host 1", "MODULE LIST", "CLIENT LIST"):
            refused(client, *line.split())
        if user.name != "router":
            refused(client, "PUBLISH", "trunkline:1:bus:x", "1")
            refused(client, "SUBSCRIBE", "trunkline:1:bus:x")


def test_the_router_does_all_of_it_under_its_prefix_alone(guarded: Guarded) -> None:
    """Keys and channels."""
    with guarded.client("router") as router:
        for key in FOREIGN:
            told(router, "SET", f"trunkline:1:{key}", "1")
        told(router, "PUBLISH", "trunkline:1:bus:x", "1")
        assert "run_id" in told(router, "INFO", "server")
        refused(router, "SET", "anything", "1")
        refused(router, "PUBLISH", "anything", "1")


def test_whoever_has_no_password_may_ask_whether_it_lives_and_no_more(guarded: Guarded) -> None:
    """As the container's own check does."""
    with redis.Redis(port=guarded.port, decode_responses=True) as anybody:
        assert anybody.ping()
        refused(anybody, "GET", "trunkline:1:etag:x")
        refused(anybody, "INFO")
    wrong = guarded.url("router").replace("redis://router:", "redis://router:x")
    with redis.Redis.from_url(wrong) as client, pytest.raises(redis.AuthenticationError):
        client.ping()


def test_the_router_s_rights_are_those_that_the_docs_show() -> None:
    """Whoever brings a Redis copies them."""
    docs = (Path(__file__).parents[2] / "docs" / "cache.md").read_text(encoding="utf-8")
    (router,) = (user for user in USERS if user.name == "router")
    assert f"-@all {router.commands}\n" in docs


def refused(client: redis.Redis, *words: str) -> None:
    """Hold Redis to refuse a command for want of the right to it."""
    with pytest.raises(redis.exceptions.NoPermissionError):
        told(client, *words)
