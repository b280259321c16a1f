"""`docs/proofs/coherence.md`: what the searches found, told from the searches themselves."""

from functools import cache
from itertools import groupby

from tests.model.cases import LIMITS, RULES, WHOLE, Missed
from tests.model.reads import RETURNED, SENT, SETTLED, Step
from tests.model.rules import Rules, Scenario
from tests.model.search import Found, search

_HEAD = (
    "The protocol by which routers share answers ([its promise](../cache.md)), as a model: two "
    "routers, one agent that writes, two that read, one vendor and one Redis, in plain Python "
    "(`tests/model/`). Every interleaving of their steps is searched, breadth first, with faults "
    "wherever they may happen. What is looked for:"
)
_MEANS = (
    "Who asks the vendor is answered rightly, whatever the answer is. A write ends when "
    "its answer, an error or its time-out reaches its router, and returns when its agent has it. "
    "Nonces are renamed and readers sorted before states are compared, so that states that differ "
    "in names only are counted once."
)
_NEEDLESS = (
    "`bump_before` is missed by no read that begins after a write has returned: searched without "
    "it, nothing is broken. It is kept for writes that never return because their router has died: "
    "what was kept before such a write is not served once it may have happened."
)
_UNCOVERED = (
    "A router that the others do not know cannot be missed by them, and a hold that nobody "
    "remembers cannot be kept."
)


@cache
def held(scenario: Scenario) -> Found:
    """Search with all rules on."""
    return search(Rules(), scenario)


@cache
def missed(missing: Missed) -> Found:
    """Search without one rule."""
    return missing.found()


def page() -> str:
    """Return the page."""
    total = sum(held(scenario).states for scenario in WHOLE.values())
    worlds = [f"| {name} | {held(one).states:,} |" for name, one in WHOLE.items()]
    parts = [
        "# Coherence",
        _HEAD,
        "\n".join(f"- {promise}" for promise in (SENT, RETURNED, SETTLED)),
        _MEANS,
        "## With all rules",
        f"Nothing is broken in {total:,} states.",
        "\n".join(["| what may go wrong | states |", "|---|---|", *worlds]),
        "## Without each of them",
        "The shortest history that breaks a promise when one rule alone is off.",
        *(_section(one) for one in RULES),
        _NEEDLESS,
        "## What no rule covers",
        _UNCOVERED,
        *(f"**{name}**: {_told(held(one).history)}" for name, one in LIMITS.items()),
        "Written by `python -m tests.model --write`; a test compares it with what is found.",
    ]
    return "\n\n".join(parts) + "\n"


def _section(missing: Missed) -> str:
    found = missed(missing)
    return (
        f"**{missing.rule}**: {missing.sentence} Without it {found.broken}: {_told(found.history)}"
    )


def _told(history: tuple[Step, ...]) -> str:
    """Tell a history in one paragraph: who does what, one after the other."""
    told = []
    for (actor, at), done in groupby(history, key=lambda step: (step.actor, step.at)):
        where = "" if at is None else f" at {'AB'[at]}"
        told.append(f"{actor}{where} {', '.join(step.action for step in done)}")
    return "; ".join(told) + "."
