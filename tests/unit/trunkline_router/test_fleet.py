"""What another configuration means for each server, and the work that goes on for each."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from yarl import URL

from trunkline_router.configuration.entries import ServerEntry
from trunkline_router.fleet import Fleet, Member
from trunkline_router.following import for_each_member
from trunkline_router.link import Post, Reply


@dataclass(frozen=True)
class Nowhere:
    """A link that is never used."""

    url: URL

    async def perform(self, post: Post) -> Reply:
        raise AssertionError(post)

    def abandon(self, state: str) -> None:
        raise AssertionError(state)

    async def close(self) -> None:
        raise AssertionError


def entry(url: str, **more: object) -> ServerEntry:
    return ServerEntry.model_validate({"url": url, **more})


def opened(server: str, given: ServerEntry) -> Member:
    return Member(id=server, entry=given, link=Nowhere(URL(given.addresses[0])))


def fleet(entries: Mapping[str, ServerEntry]) -> Fleet:
    return Fleet({server: opened(server, given) for server, given in entries.items()})


def test_each_server_is_told_apart() -> None:
    """Added, removed, moved, shown anew, and left alone: the last one is the same member."""
    before = {name: entry(f"http://{name}.example") for name in ("same", "gone", "far", "seen")}
    servers = fleet(before)
    old = dict(servers.members)
    change = servers.apply(
        {
            "same": before["same"],
            "far": entry("http://else.example"),
            "seen": entry("http://seen.example", include=["x"]),
            "new": entry("http://new.example"),
        },
        opened,
    )
    assert (change.added, change.removed) == (("new",), ("gone",))
    assert (change.moved, change.altered) == (("far",), ("seen",))
    assert [member.id for member in change.departed] == ["gone", "far"]
    assert servers["same"] is old["same"]
    assert servers["seen"].link is old["seen"].link
    assert servers["seen"].vitals is old["seen"].vitals
    assert servers["far"].vitals is not old["far"].vitals


def test_followers_hear_of_a_change_at_its_moment_and_of_nothing_else() -> None:
    """The members now, then those after each change; a configuration that is the same is none."""
    entries = {"a": entry("http://a.example")}
    servers = fleet(entries)
    heard: list[list[str]] = []
    with servers.followed_by(lambda members: heard.append(list(members))):
        servers.apply(entries, opened)
        servers.apply(entries | {"b": entry("http://b.example")}, opened)
    servers.apply(entries, opened)
    assert heard == [["a"], ["a", "b"]]


@pytest.mark.anyio
async def test_work_that_fails_for_one_server_is_begun_anew(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """And goes on for the others: no server, however odd, ends the router."""
    caplog.set_level(logging.CRITICAL)
    begun: asyncio.Queue[str] = asyncio.Queue()

    async def work(server: str) -> None:
        begun.put_nowait(server)
        if server == "odd":
            raise RecursionError
        await asyncio.Event().wait()

    servers = fleet({name: entry(f"http://{name}.example") for name in ("odd", "even")})
    following = asyncio.ensure_future(for_each_member(servers, work, again_s=0.001))
    async with asyncio.timeout(5):
        seen = [await begun.get() for _ in range(4)]
    assert sorted(seen) == ["even", "odd", "odd", "odd"]
    following.cancel()
    with pytest.raises(asyncio.CancelledError):
        await following
