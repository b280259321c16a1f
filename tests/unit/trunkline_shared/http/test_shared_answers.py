"""Answers that servers leave for each other: found by whoever shows the same credential."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Response
from trunkline_shared.http.etag_store import EtagStore, key
from trunkline_shared.http.outgoing import Outgoing
from trunkline_shared.http.shared_answer import LARGEST, from_bytes, to_bytes
from trunkline_shared.store.memory_kept import MemoryKept
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ASKED = Outgoing(method="GET", url="https://api.example/secret-project", headers={"Accept": "a"})
AT = key("fingerprint", ASKED)


def answer(body: bytes = b"body", *, tag: str = '"1"', **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=200, headers={"etag": tag, **named}, body=body, url=ASKED.url)


@dataclass
class Spied(MemoryKept):
    """What is shared, open to a test's eyes."""

    def names(self) -> list[str]:
        return [name for values in self._kinds.values() for name in values]

    def bytes_of(self, name: str) -> bytes:
        return next(values[name].value for values in self._kinds.values() if name in values)


@pytest.fixture
def shared() -> Spied:
    """What two servers share."""
    return Spied(clock=FakeClock())


def two(shared: Spied) -> tuple[EtagStore, EtagStore]:
    return EtagStore(others=shared), EtagStore(others=shared)


@pytest.mark.requirement("cache.shared-answers")
async def test_what_one_was_answered_the_other_can_have_confirmed(shared: Spied) -> None:
    """With all of its headers but the cookies."""
    one, other = two(shared)
    await one.answered(AT, None, answer(link="<x>", set_cookie="s=1"), life_s=60)
    assert await other.get(AT) == answer(link="<x>")
    assert await other.get(key("another", ASKED)) is None


async def test_the_newest_that_any_was_answered_is_confirmed(shared: Spied) -> None:
    """One's own is older by then: its tag would bring the whole body again."""
    one, other = two(shared)
    await one.answered(AT, None, answer(b"old"), life_s=60)
    await other.answered(AT, None, answer(b"new", tag='"2"'), life_s=60)
    found = await one.get(AT)
    assert found is not None
    assert found.body == b"new"


async def test_ones_own_does_as_long_as_it_is_the_newest(shared: Spied) -> None:
    """The body is not brought over again."""
    one, _ = two(shared)
    mine = answer()
    await one.answered(AT, None, mine, life_s=60)
    assert await one.get(AT) is mine


@pytest.mark.requirement("cache.shared-answers-secret")
async def test_names_tell_neither_what_was_asked_nor_by_whom(shared: Spied) -> None:
    """They are digests of a fixed length."""
    one, _ = two(shared)
    await one.answered(AT, None, answer(), life_s=60)
    for name in shared.names():
        digest = name.partition(":")[0]
        assert len(digest) == 64
        assert set(digest) <= set("0123456789abcdef")


async def test_a_large_answer_is_not_shared_and_takes_its_forerunner_away(shared: Spied) -> None:
    """More than a megabyte is for the process alone."""
    one, other = two(shared)
    await one.answered(AT, None, answer(), life_s=60)
    await one.answered(AT, None, answer(b"x" * (LARGEST + 1), tag='"2"'), life_s=60)
    assert await other.get(AT) is None
    mine = await one.get(AT)
    assert mine is not None
    assert mine.headers["etag"] == '"2"'


async def test_an_answer_from_a_signed_address_is_not_shared(shared: Spied) -> None:
    """Its address is a secret."""
    one, _ = two(shared)
    elsewhere = Response(
        status=200, headers={"etag": '"1"'}, body=b"", url=ASKED.url, elsewhere=True
    )
    await one.answered(AT, None, elsewhere, life_s=60)
    assert shared.names() == []


async def test_text_is_packed_and_what_is_dense_already_is_not(shared: Spied) -> None:
    """A list of issues takes a fraction of its bytes."""
    one, _ = two(shared)
    await one.answered(AT, None, answer(b'{"title": "same"}' * 1000), life_s=60)
    assert len(shared.bytes_of(AT.shared_name)) < 1000
    dense = bytes(range(256)) * 8
    assert to_bytes(answer(dense)) is not None
    assert len(to_bytes(answer(b"short")) or b"") < 200


async def test_an_answer_that_was_unusable_is_taken_from_all(shared: Spied) -> None:
    """A 304 would bring the broken body back to each of them."""
    one, other = two(shared)
    await one.answered(AT, None, answer(), life_s=60)
    await one.forget(AT)
    assert await other.get(AT) is None


async def test_an_answer_ends_with_its_life() -> None:
    """An installation's token lasts an hour, and so does what was told to it."""
    clock = FakeClock()
    shared = Spied(clock=clock)
    one, other = two(shared)
    await one.answered(AT, None, answer(), life_s=3600)
    clock.advance(3601)
    assert await other.get(AT) is None


class Away:
    """A store that is away."""

    async def get(self, key: str) -> bytes | None:
        raise UpstreamUnavailable(f"away: {key}")

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        raise UpstreamUnavailable(f"away: {key} {len(value)} {ttl_s}")

    async def drop(self, key: str) -> None:
        raise UpstreamUnavailable(f"away: {key}")


@pytest.mark.requirement("cache.shared-answers-away")
async def test_a_store_that_is_away_is_left_out() -> None:
    """The process's own answers go on."""
    alone, mine = EtagStore(others=Away()), answer()
    assert await alone.get(AT) is None
    assert await alone.answered(AT, None, mine, life_s=60) is mine
    assert await alone.get(AT) is mine
    await alone.forget(AT)
    assert await alone.get(AT) is None


async def test_a_header_that_is_no_text_keeps_an_answer_in_the_process(shared: Spied) -> None:
    """Bytes that no encoding knows come as lone surrogates."""
    one, other = two(shared)
    await one.answered(AT, None, answer(x_odd="\udcff"), life_s=60)
    assert await other.get(AT) is None
    assert await one.get(AT) is not None


@given(st.binary(max_size=200))
def test_what_is_no_answer_of_ours_is_none(raw: bytes) -> None:
    """Whatever somebody has put there."""
    assert from_bytes(raw) is None


@pytest.mark.parametrize(
    "head",
    [
        b'[1,false,"u","","etag"]',
        b'[1,false,"u","",["etag"]]',
        b'[1,false,"u","",{"etag":5}]',
        b'[1,false,"u","",{"etag":"x","link":null}]',
        b'[1,false,5,"",{"etag":"x"}]',
        b'[1,false,"u",5,{"etag":"x"}]',
    ],
    ids=["text", "list", "tag", "header", "url", "moved"],
)
async def test_what_only_looks_like_an_answer_is_none(shared: Spied, head: bytes) -> None:
    """Each part is of the type that it was written with, or all of it is left alone."""
    await shared.put(AT.shared_name, head + b"\nbody", ttl_s=60)
    assert await EtagStore(others=shared).get(AT) is None


def test_a_body_that_unpacks_to_more_than_may_be_shared_is_none() -> None:
    """A small one of ours can never become a large one."""
    made = to_bytes(answer(b"x" * LARGEST))
    assert made is not None
    whole = from_bytes(made)
    assert whole is not None
    assert len(whole.body) == LARGEST
    head, _, body = made.partition(b"\n")
    assert from_bytes(head + b"\n" + body[:-4]) is None


@given(st.binary(max_size=5000), st.text(st.characters(codec="ascii"), max_size=20))
def test_a_shared_answer_comes_back_as_it_was(body: bytes, told: str) -> None:
    """Body and headers, byte by byte."""
    given_ = answer(body, link=told)
    made = to_bytes(given_)
    assert made is not None
    assert from_bytes(made) == given_
