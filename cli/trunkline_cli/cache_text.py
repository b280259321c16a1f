"""What the cache does, in words for people."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline_cli import terminal

Stats = Mapping[str, Any]
_KILO = 1024


def cache_lines(cache: Stats) -> Iterator[str]:
    """Say in a line or two how the cache stands and what it was good for; nothing if unknown."""
    if "on" not in cache:
        return
    line = f"{terminal.paint('cache', 'bold')}: {standing(cache)}"
    yield f"{line}; {worth(cache)}" if cache["on"] else terminal.paint(line, "yellow")


def standing(cache: Stats) -> str:
    """Say whether it is on, and with whom it is shared; or why it is off."""
    if not cache.get("on"):
        reason = cache.get("reason") or "nothing can be told to be current"
        return f"off ({reason}); every read is asked of its server"
    if cache.get("mode", "process") == "process":
        return "on, in this router alone"
    return f"on, shared by {_count(len(cache.get('routers') or ()), 'router')}"


def worth(cache: Stats) -> str:
    """Say how many reads were answered without asking."""
    saved, asked = int(cache.get("calls_saved", 0)), reads(cache)
    if not asked:
        return "nothing was read yet"
    line = f"{saved:,} of {_count(asked, 'read')} answered without asking ({_share(saved, asked)})"
    quota = int(cache.get("quota_saved", 0))
    return f"{line}, {_count(quota, 'vendor request')} saved" if quota else line


def table(cache: Stats) -> str:
    """Return where reads were answered from."""
    hits: Stats = cache.get("hits") or {}
    asked = reads(cache)
    rows = [
        (name, f"{count:,}", _share(count, asked))
        for name, count in (
            ("kept in the router", int(hits.get("process", 0))),
            ("kept in Redis", int(hits.get("shared", 0))),
            ("another read underway", int(cache.get("coalesced", 0))),
            ("kept too long, for want of better", int(cache.get("stale", 0))),
            ("the server", int(cache.get("misses", 0))),
            ("the server, cache off", int(cache.get("passed", 0))),
        )
    ]
    return terminal.table(("ANSWERED FROM", "READS", "SHARE"), rows)


def kept(cache: Stats) -> str:
    """Say what is kept, and what was spoiled."""
    memory: Stats = cache.get("memory") or {}
    used, limit = size(memory.get("bytes", 0)), size(memory.get("limit", 0))
    return (
        f"{_count(int(memory.get('entries', 0)), 'answer')} kept in the router, {used} of {limit}; "
        f"{_count(int(cache.get('bumps', 0)), 'change')} made known"
    )


def reads(cache: Stats) -> int:
    """Return how many reads there were."""
    return sum(int(cache.get(name, 0)) for name in ("calls_saved", "misses", "passed"))


def size(count: float) -> str:
    """Return bytes as people read them."""
    for unit in ("B", "KiB", "MiB"):
        if count < _KILO:
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"  # noqa: PLR2004 - two digits say enough
        count /= _KILO
    return f"{count:.1f} GiB"


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %" if of else "-"


def _count(count: object, thing: str) -> str:
    return (
        f"{count:,} {thing}{'' if count == 1 else 's'}" if isinstance(count, int) else f"{thing}s"
    )


def visible(tag: object) -> str:
    """Return a tag for a terminal: what an agent has put into it moves no cursor."""
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in str(tag)
    )
