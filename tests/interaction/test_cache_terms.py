"""The cache's keys of `trunkline.yaml`: what they do, and what they do when they change."""

import logging
from pathlib import Path

import pytest
import yaml

from tests.interaction.cache_operating import stats
from tests.interaction.caching import TOOLS, Documents, call, library
from tests.interaction.keys import entry, key_of
from tests.interaction.reloading import Content, following, server, until
from tests.interaction.upstreams import Scripted, running
from trunkline_router.configuration.file import read_configuration
from trunkline_shared.settings import ConfigurationError

pytestmark = pytest.mark.anyio


def with_cache(url: str, **cache: object) -> Content:
    """Return a configuration with one server."""
    return {"servers": {"books": server(url)}, "router": {"cache": cache}}


@pytest.mark.requirement("cache.terms")
async def test_less_memory_takes_effect_at_once(tmp_path: Path) -> None:
    """What there is no room for any more is let go with the reload, and the bound is shown."""
    documents = Documents(text="x" * 20_000)
    books = Scripted(answer=documents, tools=list(TOOLS))
    policies = {"look": {"reads": {"ttl_s": 300, "tags": ["doc:{id}"]}}}
    async with running(books) as url:
        content: Content = {"servers": {"books": server(url, policy=policies)}}
        async with following(tmp_path / "t.yaml", content) as router:
            for id_ in "12345":
                await call(router.mesh, "look", id_)
            before = (await stats(router.mesh))["memory"]
            assert (before["entries"], before["bytes"] > 100_000) == (5, True)
            router.write({**content, "router": {"cache": {"memory_bytes": 90_000}}})

            async def applied() -> bool:
                return bool((await stats(router.mesh))["memory"]["limit"] == 90_000)

            await until(applied)
            after = (await stats(router.mesh))["memory"]
            assert 0 < after["bytes"] <= 90_000
            assert (await call(router.mesh, "look", "5")).source == "cache"
            assert (await call(router.mesh, "look", "1")).source == "upstream"


@pytest.mark.requirement("cache.terms")
async def test_another_time_to_forget_routers_waits_for_the_next_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """And the log says so, once."""
    caplog.set_level(logging.WARNING)
    url = "http://127.0.0.1:1"
    async with following(tmp_path / "t.yaml", with_cache(url)) as router:

        async def applied() -> bool:
            return bool((await stats(router.mesh))["memory"]["limit"] == 5000)

        router.write(with_cache(url, forget_s=120, memory_bytes=5000))
        await until(applied)
    said = [one.message for one in caplog.records if "forget_s" in one.message]
    assert said == [
        "router.cache.forget_s has changed: that takes effect at the router's next start"
    ]


@pytest.mark.requirement("cache.terms")
async def test_a_server_that_becomes_private_answers_each_caller_apart(tmp_path: Path) -> None:
    """From the reload on, without being reached anew; what was kept for all serves nobody."""
    documents = Documents()
    books = Scripted(answer=documents, tools=list(TOOLS))
    keys = [entry("ann", scopes=["tools", "observe"]), entry("bob")]
    policy = {"look": {"reads": {"ttl_s": 300, "tags": ["doc:{id}"]}}}
    ann, bob = key_of("ann"), key_of("bob")

    def content(url: str, *, private: bool) -> Content:
        books_entry = server(url, policy=policy, private=private)
        return {"servers": {"books": books_entry}, "keys": keys}

    async with (
        running(books) as url,
        following(tmp_path / "t.yaml", content(url, private=False)) as router,
    ):

        async def source(key: str) -> str:
            return (await call(router.mesh, "look", bearer=key)).source

        async def is_private() -> bool:
            return await source(bob) == "upstream"

        assert [await source(key) for key in (ann, bob)] == ["upstream", "cache"]
        router.write(content(url, private=True))
        await until(is_private)
        assert documents.asked["look"] == 2
        assert [await source(key) for key in (ann, bob, ann)] == ["upstream", "cache", "cache"]


@pytest.mark.requirement("cache.terms")
@pytest.mark.parametrize("changed", ["url", "token"])
async def test_another_server_under_the_same_id_has_answers_of_its_own(
    tmp_path: Path, changed: str
) -> None:
    """So has the same server when it is asked with another token: it may show others more."""
    first, second = Documents(), Documents()
    policy = {"look": {"reads": {"ttl_s": 300, "tags": ["doc:{id}"]}}}
    async with (
        running(Scripted(answer=first, tools=list(TOOLS))) as url,
        running(Scripted(answer=second, tools=list(TOOLS))) as other,
    ):

        def content(url: str, token: str) -> Content:
            headers = {"Authorization": f"Bearer {token}"}
            return {"servers": {"books": server(url, policy=policy, headers=headers)}}

        async with following(tmp_path / "t.yaml", content(url, "one")) as router:

            async def asked_anew() -> bool:
                return (await call(router.mesh, "look")).source == "upstream"

            assert await asked_anew()
            assert not await asked_anew()
            router.write(content(url, "two") if changed == "token" else content(other, "one"))
            await until(asked_anew)
            assert not await asked_anew()
    assert (first.asked["look"], second.asked["look"]) in {(2, 0), (1, 1)}


@pytest.mark.requirement("cache.terms")
async def test_nothing_is_kept_in_a_memory_of_nothing() -> None:
    """And each read is answered all the same."""
    async with library(configured={"router": {"cache": {"memory_bytes": 0}}}) as books:
        sources = [(await call(books.one, "look")).source for _ in range(2)]
        assert sources == ["upstream", "upstream"]
        assert (await stats(books.one))["memory"] == {"entries": 0, "bytes": 0, "limit": 0}


@pytest.mark.requirement("cache.terms")
@pytest.mark.parametrize(
    ("cache", "said"),
    [
        ({"memory_bytes": -1}, "router.cache.memory_bytes=-1"),
        ({"memory_bytes": "256 MB"}, "router.cache.memory_bytes='256 MB'"),
        ({"memory_byte": 1}, "did you mean 'memory_bytes'?"),
        ({"webhook_ttl_s": -1}, "router.cache.webhook_ttl_s=-1"),
        ({"forget_s": 5}, "greater than or equal to 60"),
        ({"hooked": ["acme"]}, "'acme' is no glob over owner/repo: write acme/*"),
        ({"hooked": ["acme/a, acme/b"]}, "'acme/a, acme/b' is no glob over owner/repo"),
    ],
)
def test_a_wrong_value_is_named_with_its_fix(tmp_path: Path, cache: Content, said: str) -> None:
    """The file is refused as a whole."""
    path = tmp_path / "t.yaml"
    path.write_text(yaml.safe_dump({"router": {"cache": cache}}), encoding="utf-8")
    with pytest.raises(ConfigurationError) as refused:
        read_configuration(path)
    assert said in str(refused.value)
