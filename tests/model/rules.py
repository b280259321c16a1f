"""The rules of the protocol as switches, and how much may go wrong in one search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Each of them can be switched off; what then goes wrong is in `cases.py`."""

    nonces: bool = True
    """A generation is a nonce, not a counter."""
    footing_first: bool = True
    """The key of an answer folds the generations as they were before it was fetched."""
    strict: bool = True
    """What is kept in the process is used only once its generations have been read anew."""
    bump_before: bool = True
    """A write bumps before it is sent."""
    bump_after: bool = True
    """A write bumps after its answer."""
    bump_failed: bool = True
    """A write bumps after a failure or a time-out, too."""
    doubt: bool = True
    """After a write whose end nobody saw nothing is kept for as long as it may still happen."""
    settle: bool = True
    """Nothing is kept whose generations were bumped a moment before it was fetched."""
    settled_flights: bool = True
    """Who comes after that moment does not join a flight from within it."""
    keyed_flights: bool = True
    """Who joins a flight stands on the same generations as who began it."""
    follower_checks: bool = True
    """A follower takes no answer that depends on tags changed since it was asked."""
    told_tags: bool = True
    """Tags that the answer told are believed if nothing above them has changed meanwhile."""
    stale_current: bool = True
    """What stands in for a vendor that fails lies under current generations."""
    identity: bool = True
    """The root is minted anew when Redis is another one than it was minted in."""
    silence: bool = True
    """Nobody uses what was kept while one of the registered routers is silent."""
    waits: bool = True
    """A router that cannot bump waits until its silence is noticed, or it has rejoined."""
    rejoin_mints: bool = True
    """Who rejoins mints the root anew."""
    restart_mints: bool = True
    """Who starts under a registered name mints the root anew."""
    owed_holds: bool = True
    """Who rejoins has all held for as long as the bumps that it owed would have held their own."""
    holds_stay: bool = True
    """A new root is held for as long as the one before it."""
    remembers: bool = True
    """Who finds the registry gone registers those it knew, as silent."""
    not_after: bool = True
    """A sign of life that Redis executes too late is refused."""
    unanswered_counts: bool = True
    """A rejoin that was not answered counts as a sign of life."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """How often agents act, how often each thing goes wrong, and what is left out.

    `reads` are each reader's. `knows` says which tag routers believe an answer to depend on before
    they have seen one: its own, none (so that it stands on all beneath `W`), or another. `at` are
    the routers that readers use, `faulty` those that are cut off, `dying` those that may die; the
    write uses A. `holds` are left out where the time that a vendor takes does not matter. `watch`
    is the one promise that is looked at, empty for all.
    """

    writes: int = 1
    reads: int = 1
    knows: str = "own"
    at: str = "AB"
    faulty: str = "A"
    dying: str = "A"
    holds: bool = True
    watch: str = ""
    timeouts: int = 0
    failures: int = 0
    lag: int = 0
    vendor_errors: int = 0
    lost: int = 0
    late: int = 0
    cuts: int = 0
    crashes: int = 0
    flushes: int = 0
    rollbacks: int = 0
    evictions: int = 0
    forgets: int = 0
