"""What our tools save a model: counted, and so the same on every machine."""

import pytest

from bench.findings import Findings
from bench.tokens import MOST, findings

TASKS = 13


@pytest.fixture(scope="module")
def found() -> Findings:
    """The part of the benchmark, measured once."""
    return findings(quick=True)


@pytest.mark.requirement("github.few-tokens")
def test_our_tools_cost_a_quarter_of_the_apis_tokens_at_most(found: Findings) -> None:
    """All tasks; the same without logs; and with our definitions, when nothing is asked twice."""
    assert len(found.limits) == 3
    assert {limit.most for limit in found.limits} == {MOST}
    assert [limit.what for limit in found.limits if not limit.met] == []


def test_each_task_is_told_with_its_share(found: Findings) -> None:
    """Nothing hides in the sum: a task that saves less than another is seen."""
    by_task, altogether = found.tables
    assert len(by_task.rows) == TASKS
    for name, *_, raw, _, ours, share, encoded in by_task.rows:
        assert isinstance(raw, int)
        assert isinstance(ours, int)
        assert share == f"{100 * ours / raw:.1f} %", name
        assert str(encoded).endswith(" %")
    assert sum(int(row[2]) for row in by_task.rows) == altogether.rows[0][1]
