"""Each numbered point of what real clients do (clients.md) is named by a test that proves it."""

import re
from pathlib import Path

POINTS = 19
TESTS = Path(__file__).parents[1]


def test_every_point_is_named_by_a_test() -> None:
    """What was seen on the wire once must stay served."""
    named: set[int] = set()
    for path in TESTS.rglob("test_*.py"):
        for points in re.findall(r"clients\.md ([\d, ]+)", path.read_text(encoding="utf-8")):
            named.update(map(int, re.findall(r"\d+", points)))
    assert sorted(named) == list(range(1, POINTS + 1))
