"""Answers that a vendor may confirm: per credential, bounded, only what can be confirmed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.exchange import Response
from trunkline_shared.http.etag_store import EtagStore, conditional, key
from trunkline_shared.http.outgoing import Outgoing

pytestmark = pytest.mark.anyio

ASKED = Outgoing(method="GET", url="https://api.example/x", headers={"Accept": "a"})


def answer(status: int = 200, body: bytes = b"body", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status=status, headers=named, body=body, url=ASKED.url, received_at=1)


async def test_a_304_gives_the_stored_body_with_the_new_quota() -> None:
    """The reader sees a 200 and the limits as they are now."""
    store, at = EtagStore(), key("me", ASKED)
    await store.answered(at, None, answer(etag='"1"', x_ratelimit_remaining="9"), life_s=60)
    stored = await store.get(at)
    confirmed = await store.answered(
        at, stored, answer(304, b"", x_ratelimit_remaining="8"), life_s=60
    )
    assert (confirmed.status, confirmed.body) == (200, b"body")
    assert confirmed.headers == {"etag": '"1"', "x-ratelimit-remaining": "8"}


async def test_a_stored_answer_is_asked_for_with_both_validators() -> None:
    """The date too: it survives a change of token that makes the ETag useless."""
    store, at = EtagStore(), key("me", ASKED)
    await store.answered(
        at, None, answer(etag='"1"', last_modified="Mon, 01 Jan 2026 00:00:00 GMT"), life_s=60
    )
    headers = conditional(ASKED, await store.get(at)).headers
    assert headers["If-None-Match"] == '"1"'
    assert headers["If-Modified-Since"] == "Mon, 01 Jan 2026 00:00:00 GMT"
    assert headers["Accept"] == "a"


async def test_an_unknown_request_is_sent_as_it_is() -> None:
    """No validators without an answer."""
    assert conditional(ASKED, await EtagStore().get(key("me", ASKED))) is ASKED


@pytest.mark.parametrize(
    "other",
    [
        key("you", ASKED),
        key("me", Outgoing(method="GET", url="https://api.example/y", headers={"Accept": "a"})),
        key("me", Outgoing(method="GET", url=ASKED.url, headers={"Accept": "diff"})),
        key("me", Outgoing(method="POST", url=ASKED.url, headers={"Accept": "a"})),
        key(
            "me",
            Outgoing(
                method="GET",
                url=ASKED.url,
                headers={"Accept": "a", "X-GitHub-Api-Version": "2026-03-10"},
            ),
        ),
    ],
)
def test_another_credential_address_method_media_or_version_is_another_entry(
    other: object,
) -> None:
    """An answer is never shown for what it was not the answer to."""
    assert other != key("me", ASKED)


@pytest.mark.parametrize(
    ("method", "response"),
    [
        ("POST", answer(etag='"1"')),
        ("GET", answer(404, etag='"1"')),
        ("GET", answer(206, etag='"1"')),
        ("GET", answer()),
    ],
)
async def test_only_a_confirmable_read_is_kept(method: str, response: Response) -> None:
    """GET, 200, with an ETag."""
    store = EtagStore()
    at = key("me", Outgoing(method=method, url=ASKED.url))
    assert await store.answered(at, None, response, life_s=60) is response
    assert await store.get(at) is None


@pytest.mark.parametrize(
    ("query", "response", "is_kept"),
    [
        ("?per_page=2", answer(body=b"[1,2]", etag='"1"'), False),
        ("?per_page=2", answer(body=b"[1]", etag='"1"'), True),
        ("?per_page=2", answer(body=b"[1,2]", etag='"1"', link='<x?page=2>; rel="next"'), True),
        ("?per_page=2", answer(body=b"[1,2", etag='"1"'), True),
        ("?per_page=2", answer(body=b'{"total_count":2,"items":[1,2]}', etag='"1"'), True),
        ("?per_page=many", answer(body=b"[1,2]", etag='"1"'), True),
        ("", answer(body=b"[1,2]", etag='"1"'), True),
    ],
)
async def test_a_full_last_page_is_not_confirmed(
    query: str, response: Response, *, is_kept: bool
) -> None:
    """What is begun behind it changes its link and not its body, which the ETag is of."""
    store, at = EtagStore(), key("me", Outgoing(method="GET", url=ASKED.url + query))
    await store.answered(at, None, answer(body=b"[1]", etag='"0"'), life_s=60)
    await store.answered(at, await store.get(at), response, life_s=60)
    assert await store.get(at) == (response if is_kept else None)


async def test_an_unasked_304_passes_as_it_is() -> None:
    """Nothing is made up."""
    bare = answer(304, b"")
    assert await EtagStore().answered(key("me", ASKED), None, bare, life_s=60) is bare


async def test_an_answer_that_was_unusable_is_not_asked_to_be_confirmed() -> None:
    """A 304 would only bring the same broken body back."""
    store, at = EtagStore(), key("me", ASKED)
    await store.answered(at, None, answer(etag='"1"'), life_s=60)
    await store.forget(at)
    assert await store.get(at) is None
    await store.forget(at)


async def test_an_answer_beyond_the_bound_replaces_its_outdated_forerunner() -> None:
    """What does not fit is not kept, and neither is the version before."""
    store, at = EtagStore.of(4096), key("me", ASKED)
    await store.answered(at, None, answer(etag='"1"'), life_s=60)
    await store.answered(at, None, answer(body=b"x" * 5000, etag='"2"'), life_s=60)
    assert await store.get(at) is None


@given(st.lists(st.integers(0, 3000), max_size=40))
async def test_the_store_never_grows_beyond_its_bytes(sizes: list[int]) -> None:
    """Whatever comes, in whatever order."""
    store = EtagStore.of(8192)
    for number, size in enumerate(sizes):
        at = key("me", Outgoing(method="GET", url=f"https://api.example/{number}"))
        await store.answered(at, None, answer(body=b"x" * size, etag='"1"'), life_s=60)
    assert sum(len(kept.body) for kept in store.entries.values()) <= 8192
    assert store.entries.currsize <= 8192
