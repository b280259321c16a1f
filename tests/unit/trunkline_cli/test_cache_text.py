"""What the commands say of the cache, whatever a router tells of it."""

from typing import Any

import pytest

from trunkline_cli.cache_text import cache_lines, kept, size, standing, table, visible, worth

SHARED: dict[str, Any] = {
    "on": True,
    "mode": "shared",
    "routers": ["a", "b"],
    "silent": [],
    "memory": {"entries": 1200, "bytes": 3_400_000, "limit": 268_435_456},
    "hits": {"process": 900, "shared": 200},
    "coalesced": 100,
    "stale": 4,
    "misses": 90,
    "passed": 6,
    "bumps": 1,
    "calls_saved": 1204,
    "quota_saved": 2310,
}


@pytest.mark.requirement("cache.status")
def test_a_cache_that_is_on_says_what_it_was_good_for() -> None:
    """In one line, with whom it is shared."""
    (line,) = cache_lines(SHARED)
    assert line == (
        "cache: on, shared by 2 routers; 1,204 of 1,300 reads answered without asking (92.6 %), "
        "2,310 vendor requests saved"
    )


@pytest.mark.requirement("cache.status")
def test_a_cache_that_is_off_says_why_and_what_follows() -> None:
    """The router's own reason, or that it gave none."""
    (line,) = cache_lines({**SHARED, "on": False, "reason": "router b is silent for 7 s"})
    assert line == "cache: off (router b is silent for 7 s); every read is asked of its server"
    assert "nothing can be told" in standing({"on": False})


@pytest.mark.requirement("cache.status")
def test_a_router_that_knows_of_no_cache_is_shown_without_one() -> None:
    """One of before, or one that tells less, breaks no command."""
    assert list(cache_lines({})) == []
    assert list(cache_lines({"on": True})) == [
        "cache: on, in this router alone; nothing was read yet"
    ]
    assert kept({}).startswith("0 answers kept")


@pytest.mark.requirement("cache.command")
def test_the_table_adds_up() -> None:
    """Each read stands in one row."""
    rows = [line.rsplit(maxsplit=3) for line in table(SHARED).splitlines()[1:]]
    assert sum(int(row[1].replace(",", "")) for row in rows) == 1300
    assert worth(SHARED).startswith("1,204 of 1,300 reads")
    assert (
        kept(SHARED) == "1,200 answers kept in the router, 3.2 MiB of 256 MiB; 1 change made known"
    )


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KiB"), (5 * 1024**3, "5.0 GiB"), (2**20, "1.0 MiB")],
)
def test_bytes_are_shown_as_people_read_them(count: int, shown: str) -> None:
    """With as many digits as say something."""
    assert size(count) == shown


def test_a_tag_moves_no_cursor() -> None:
    """An agent's words are in the tags of what it writes, and an operator watches them."""
    assert visible("wiki:\x1b[2J\n\u202ex") == "wiki:\\x1b[2J\\n\\u202ex"
    assert visible("gh:acme/widgets:branches/größe") == "gh:acme/widgets:branches/größe"
