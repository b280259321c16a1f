"""Ten agents review one pull request: what GitHub is asked without the cache, with it, with events.

The shape of the workload is told in `bench/replay/workload.py`. Everything is real but GitHub, the
agents and the time: the clock of GitHub, of its servers and of the router goes from one call to the
next, and deliveries of webhooks take none of it.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from bench.findings import Cell, Findings, Limit, Table
from bench.replay.replay import Tally, replayed
from bench.replay.workload import AGENTS
from bench.rounds import say

BARE, CACHED, HOOKED = "without the cache", "with the cache", "with webhooks"
MOST_LEFT: Mapping[str, float] = {CACHED: 0.10, HOOKED: 0.03}
"""Which share of the requests to GitHub may be left, without webhooks and with them."""
QUICK_AGENTS = 3
ABOUT = (
    "A router that keeps nothing may spare its servers no call, and they have a store of entity"
    " tags of their own either way: most of what they ask is answered 304, which costs no quota."
    " What is left is the share of the requests for reads, 304s included, that GitHub still gets;"
    " writes are never kept, and what they ask for is left out on both sides. An answer is stale if"
    " it lacks what an agent has written and had confirmed before the answer was asked for; or what"
    " happened at GitHub itself, once it has been told or, without webhooks, 15 s later."
)
_NOTE = (
    "The review is dense: a write every six seconds to the same conversations, and for ten seconds"
    " after a write nothing under its tags is kept, since the vendor's own copies may lag. So its"
    " share cannot come near the limits while the promise stands that no answer is from before a"
    " write: they are those of a work that mostly waits."
)
Tallies = Mapping[str, Tally]


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Play the review, and unless it is to be quick, the wait for CI as well."""
    works = {"the review": asyncio.run(measured(QUICK_AGENTS if quick else AGENTS, stay=False))}
    if not quick:
        name = "the review, and the wait for CI"
        works[name] = asyncio.run(measured(AGENTS, stay=True))
    return Findings(
        title="What the cache keeps from GitHub",
        about=ABOUT,
        tables=[_table(name, tallies) for name, tallies in works.items()],
        limits=[limit for name, tallies in works.items() for limit in _limits(name, tallies)],
        left_out=() if not quick else ("the wait for CI, and all agents but three: it is quick",),
    )


async def measured(agents: int, *, stay: bool) -> Tallies:
    tallies: dict[str, Tally] = {}
    for name in (BARE, CACHED, HOOKED):
        say(f"{agents} agents {name}{', who stay' if stay else ''}")
        cached, hooked = name != BARE, name == HOOKED
        tallies[name] = await replayed(cached=cached, hooked=hooked, number=agents, stay=stay)
    return tallies


def left(tally: Tally, bare: Tally) -> float:
    """Return the share of the requests to GitHub that reads need without a cache."""
    return tally.for_reads / bare.for_reads


def _table(name: str, tallies: Tallies) -> Table:
    bare = tallies[BARE]
    stale = [f"STALE {how}: {line}" for how, tally in tallies.items() for line in tally.stale]
    questions = f"{bare.writes} writes; {len(bare.questions)} different reads, each asked once."
    return Table(
        title=f"{name[0].upper()}{name[1:]}, in requests at GitHub",
        columns=(
            *("", "seconds", "reads", "asked of servers", "requests", "by writes", "304s"),
            *("left", "of quota", "stale"),
        ),
        rows=[_row(name, tally, bare) for name, tally in tallies.items()],
        note=" ".join([questions, *stale, _NOTE if name == "the review" else ""]).strip(),
    )


def _row(name: str, tally: Tally, bare: Tally) -> Sequence[Cell]:
    return (
        name,
        round(tally.seconds),
        tally.reads,
        tally.answered_by_servers,
        tally.asked,
        tally.by_writes,
        tally.unchanged,
        f"{left(tally, bare):.1%}",
        f"{tally.counted / bare.counted:.1%}",
        len(tally.stale),
    )


def _limits(name: str, tallies: Tallies) -> Iterator[Limit]:
    for how, most in MOST_LEFT.items():
        share = left(tallies[how], tallies[BARE])
        what = f"{name}, {how}: requests that are left"
        yield Limit(what=what, value=share * 100, most=most * 100, unit="%")
    stale = sum(len(tally.stale) for tally in tallies.values())
    yield Limit(what=f"{name}: stale answers", value=stale, most=0)
