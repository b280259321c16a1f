"""Ten agents review one pull request: what GitHub is asked without the cache, with it, with events.

The shape of the workload is told in `bench/replay/workload.py`. Everything is real but GitHub, the
agents and the time: the clock of GitHub, of its servers and of the router goes from one call to the
next, and deliveries of webhooks take none of it.

A router that keeps nothing may spare its servers no call, and they have a store of entity tags of
their own either way: most of what they ask is answered 304, which costs no quota. `saved` is the
share of the requests for reads, 304s included, that the cache has kept from GitHub; writes are
never kept, and what they ask for is left out on both sides. An answer is stale if it lacks what an
agent has written and had confirmed before the answer was asked for; or what happened at GitHub
itself, once it has been told or, without webhooks, 15 s later.
"""

import argparse
import asyncio
import sys

from bench.replay.replay import Tally, replayed

LEAST, LEAST_HOOKED = 0.90, 0.97
"""Which share of the requests to GitHub is to be saved, without webhooks and with them."""


async def measured(agents: int, *, stay: bool) -> dict[str, Tally]:
    return {
        "without the cache": await replayed(cached=False, number=agents, stay=stay),
        "with the cache": await replayed(cached=True, number=agents, stay=stay),
        "with webhooks": await replayed(cached=True, hooked=True, number=agents, stay=stay),
    }


def saved(tally: Tally, bare: Tally) -> float:
    """Return the share of the requests to GitHub that reads need without a cache."""
    return 1 - tally.for_reads / bare.for_reads


def shown(tallies: dict[str, Tally]) -> bool:
    """Print the table; say whether enough was saved, and nothing stale."""
    bare = tallies["without the cache"]
    print(f"{'':18}{'seconds':>8}{'reads':>6}{'asked of servers':>17}", end="")
    print(f"{'requests':>9}{'by writes':>10}{'304s':>5}{'saved':>7}{'of quota':>9}{'stale':>6}")
    for name, tally in tallies.items():
        print(
            f"{name:18}{tally.seconds:8.0f}{tally.reads:6}{tally.answered_by_servers:17}"
            f"{tally.asked:9}{tally.by_writes:10}{tally.unchanged:5}{saved(tally, bare):7.1%}"
            f"{1 - tally.counted / bare.counted:9.1%}{len(tally.stale):6}"
        )
    print(f"{bare.writes} writes; {len(bare.questions)} different reads, each asked once at least")
    for name, tally in tallies.items():
        asked = ", ".join(f"{tool} {times}" for tool, times in tally.spent.most_common())
        print(f"asked of servers {name}: {asked}")
        for line in tally.stale:
            print(f"STALE {name}: {line}")
    return (
        saved(tallies["with the cache"], bare) >= LEAST
        and saved(tallies["with webhooks"], bare) >= LEAST_HOOKED
        and not any(tally.stale for tally in tallies.values())
    )


def main() -> None:
    """Print both tables; fail for a stale answer, and where less is saved than is to be."""
    parser = argparse.ArgumentParser(prog="python -m bench.replay", description=__doc__)
    parser.add_argument("--agents", type=int, default=10)
    parser.add_argument("--review-only", action="store_true", help="nobody stays to wait for CI")
    options = parser.parse_args()
    print("The review alone:")
    enough = shown(asyncio.run(measured(options.agents, stay=False)))
    if not options.review_only:
        print("The review, and the wait for CI:")
        enough = shown(asyncio.run(measured(options.agents, stay=True))) and enough
    print(f"at least {LEAST:.0%} saved without webhooks, {LEAST_HOOKED:.0%} with them, none stale")
    if not enough:
        sys.exit(1)


if __name__ == "__main__":
    main()
