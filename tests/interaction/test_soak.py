"""A small share of the long proofs, the same in every run."""

import pytest

from tests.soak.hostile_requests import KINDS, Target, attack
from tests.soak.proofs import Size, fuzzing_page, grown, load_page, prove_fuzzing, prove_load

SHARE = Size(share=0.02, seed=1)


@pytest.mark.requirement("gateway.soak-load")
def test_under_load_every_answer_is_the_right_one() -> None:
    """No wrong or crossed answer, no failure of a healthy server, and memory stays flat."""
    tally = prove_load(SHARE)
    assert tally.wrong == []
    assert not grown(tally.resident), tally.resident
    assert sum(tally.calls.values()) > 100
    assert "| wrong, crossed or failed | 0 |" in load_page(SHARE, tally)


@pytest.mark.requirement("gateway.soak-fuzzing")
def test_hostile_requests_neither_crash_the_router_nor_make_it_talk() -> None:
    """No 5xx, no leak, no silence, and memory stays flat; each kind has been tried."""
    findings = prove_fuzzing(SHARE)
    assert findings.wrong == []
    assert not grown(findings.resident), findings.resident
    assert findings.statuses.keys() == set(KINDS)
    assert "| requests | 2,000 |" in fuzzing_page(SHARE, findings)


def test_an_attack_is_the_same_for_the_same_number() -> None:
    """What a run finds can be sent again, alone."""
    target = Target(port=1, key="k", tool="t")
    first = [attack(3, number, target) for number in range(300)]
    assert first == [attack(3, number, target) for number in range(300)]
    assert first != [attack(4, number, target) for number in range(300)]
