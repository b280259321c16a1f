"""What people say of the benchmark's pull request: forty comments, as reviews have them."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_shared.testing.github.conversation import ReviewState


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A thread: a comment on a line, and the replies to it."""

    path: str
    line: int
    texts: Sequence[str]
    resolved: bool = False


THREADS = (
    Said(
        path="src/widgets/screw.py",
        line=36,
        texts=(
            (
                "`is_loose` is asked before the load is on. Do we not have to ask it with the "
                "load? A screw that is tight enough for 10 kg may well be loose under 40."
            ),
            (
                "The play is a property of the material and does not depend on the load: see "
                "table 4 of the bench report. I can add a comment that says so."
            ),
            "Please do. I did not find it without the report.",
        ),
    ),
    Said(
        path="src/widgets/screw.py",
        line=53,
        texts=(
            (
                "12 Nm is a number of the steel ones. For nylon this locks nothing, because it "
                "breaks at 5. Should the limit not come from `material`?"
            ),
            "Good point. I will move it to `Material.locks_above`, with 12 for steel.",
        ),
    ),
    Said(
        path="src/widgets/clamp.py",
        line=51,
        texts=(
            (
                "Raise before anything is computed, as the other functions here do.\n\n"
                "```suggestion\n    if torque > one.material.most_torque:\n"
                '        raise Overtightened("the clamp breaks", part="clamp")\n```'
            ),
        ),
    ),
    Said(
        path="src/widgets/gauge.py",
        line=11,
        texts=(
            (
                "Why 1.6? The norm says 1.5, and the report of last spring was made with it. If "
                "this is on purpose, then the changelog has to say it: every table in "
                "docs/loads.md moves."
            ),
            "On purpose: with play the loads are 6 % lower, and the certificate wants the margin.",
            "Then let us write it down where people look: docs/loads.md and the changelog.",
            "Both done in the next push.",
        ),
    ),
    Said(
        path="src/widgets/lever.py",
        line=57,
        texts=(
            (
                "A lever that is locked comes back unchanged and without a word. I would rather "
                "have an error: whoever calls `loosen` believes afterwards that it is loose."
            ),
            (
                "An error breaks `Bench.reset`, which loosens all parts. Shall it return whether "
                "it did something?"
            ),
        ),
    ),
    Said(
        path="tests/test_screw.py",
        line=21,
        texts=(
            (
                "This is the test that fails: LOCKED_ABOVE is locked on 3.13 because of the new "
                "comparison of units. See the log of the matrix."
            ),
            "Looking at it.",
        ),
    ),
    Said(
        path="docs/tightening.md",
        line=3,
        texts=("Can you say here how one takes a new one? People will ask.",),
    ),
    Said(
        path="src/widgets/bolt.py",
        line=12,
        texts=("A constant per module will drift. One place, please.", "Moved to `units`."),
        resolved=True,
    ),
    Said(
        path="src/widgets/gear.py",
        line=38,
        texts=("Missing a full stop in the message.", "Fixed."),
        resolved=True,
    ),
    Said(
        path="src/widgets/rail.py",
        line=35,
        texts=(
            "Rails have no play, they are welded. Is the branch ever taken?",
            "It is, for the short ones: they are screwed.",
            "Ah. Fine then.",
        ),
        resolved=True,
    ),
    Said(
        path=".github/workflows/ci.yml",
        line=8,
        texts=("Do we support 3.14 already?", "Since 2.3.0, it was only not tested."),
        resolved=True,
    ),
    Said(
        path="src/widgets/washer.py",
        line=7,
        texts=("nit: order of the names", "ruff says that it is sorted"),
        resolved=True,
    ),
)
"""Twelve threads of 26 comments; seven are open."""

COMMENTS = (
    (
        "bob",
        (
            "This is the first half of #1. The second half moves the springs; it needs the new "
            "units and comes in a pull request of its own."
        ),
    ),
    (
        "widgets-ci[bot]",
        (
            "**Coverage**: 97.4 % (+0.2 %)\n\n| file | covered |\n|---|---|\n"
            "| src/widgets/screw.py | 100 % |\n| src/widgets/lever.py | 96 % |\n"
            "| src/widgets/spring.py | 91 % |"
        ),
    ),
    ("alice", "I will review modules a to l today, @carol takes the others."),
    ("carol", "Done with m to w. Four remarks, one of them serious: the limit of nylon."),
    ("bob", "Thanks! I have answered all of them, two are still open."),
    ("dave", "Does this change what `Bench.measure` prints? Our scripts parse it."),
    ("bob", "No. The order of the columns stays, and so do their names."),
    ("alice", "The matrix fails on 3.13 and 3.14 with the same test; 3.11 and 3.12 are fine."),
)
REVIEWS: Sequence[tuple[str, ReviewState, str]] = (
    (
        "carol",
        "CHANGES_REQUESTED",
        (
            "Good work. The limit for nylon has to go into the material before this can be "
            "merged, the rest is small."
        ),
    ),
    ("alice", "COMMENTED", "First half read. I like that errors name the part now."),
    ("dave", "APPROVED", "Looks right for our benches."),
    ("alice", "COMMENTED", "Second half read; see the question about the safety factor."),
    ("carol", "COMMENTED", "Read the tests. One of them fails for a reason."),
    ("dave", "COMMENTED", "Still fine after the last push."),
)
"""Eight comments below the pull request, and six reviews with a text."""

ISSUES = (
    "Springs creak after 10,000 cycles", "Document the units of `carry`",
    "`Bench.measure` loses the last sample", "Support brass screws with a coarse thread",
    "Windows: paths of reports have the wrong slash", "Let `wears` take a temperature",
    "Load tables: add titanium", "Crash when a widget has no parts",
    "Rounding of NewtonMetre differs between platforms", "Speed up the import of load tables",
    "Type hints for `widgets.plotting`", "Drop Python 3.10",
    "Gauge reads 0.1 mm too much when cold", "Allow several springs per sleeve",
    "CLI: `widgets bench --json`", "Error messages should name the part",
    "Flaky: test_bench_measures_twice", "Say how to calibrate a dial",
    "Washers of zero thickness are accepted", "Add a glossary",
    "Publish wheels for arm64", "`tighten` accepts a negative torque",
    "Plates: bend in two directions", "Reports: show the material's batch",
)  # fmt: skip
"""The titles of the repository's other open issues."""
