"""The protocol in all interleavings: nothing is broken by it, and something without each rule."""

import pytest

from tests.model.__main__ import PAGE
from tests.model.cases import LIMITS, NAMES, RULES, WHOLE, Missed
from tests.model.page import held, missed, page
from tests.model.reads import RETURNED
from tests.model.rules import Rules
from tests.model.search import search


@pytest.mark.requirement("cache.model-holds")
@pytest.mark.parametrize("name", WHOLE)
def test_with_all_rules_no_interleaving_breaks_a_promise(name: str) -> None:
    """1,000 to 23,000 states each, 150,000 together: docs/proofs/coherence.md counts them."""
    found = held(WHOLE[name])
    assert not found.broken, found


@pytest.mark.requirement("cache.model-rules")
@pytest.mark.parametrize("missing", RULES, ids=lambda missing: missing.rule)
def test_without_one_rule_a_promise_is_broken(missing: Missed) -> None:
    """By the promise that is watched, or by any where all are."""
    found = missed(missing)
    assert found.broken, f"nothing misses {missing.rule}"
    assert missing.scenario.watch in {"", found.broken}, found


def test_every_rule_is_missed_somewhere() -> None:
    """One that never is would be told as a rule in vain."""
    assert sorted(missing.rule for missing in RULES) == sorted(NAMES)


@pytest.mark.parametrize("missing", RULES, ids=lambda missing: missing.rule)
def test_the_world_in_which_a_rule_is_missed_is_sound_with_it(missing: Missed) -> None:
    """The rule is what makes the difference."""
    found = held(missing.scenario)
    assert not found.broken, found


def test_the_bump_before_a_write_is_for_writes_that_never_return() -> None:
    """No read after a write that has returned misses it."""
    scenarios = [one for one in WHOLE.values() if one.watch == RETURNED]
    found = [search(Rules(bump_before=False), one) for one in scenarios]
    assert not any(one.broken for one in found), found


@pytest.mark.parametrize("name", LIMITS)
def test_what_no_rule_covers_is_known(name: str) -> None:
    """If one of them is covered some day, the page says so."""
    assert held(LIMITS[name]).broken


@pytest.mark.requirement("cache.model-page")
def test_the_page_says_what_the_searches_found() -> None:
    """`python -m tests.model --write` writes it anew."""
    assert PAGE.read_text(encoding="utf-8") == page()
