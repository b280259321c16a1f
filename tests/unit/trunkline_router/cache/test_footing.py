"""What an answer stands on, and what of it may change without harm."""

from dataclasses import replace

import pytest

from tests.unit.trunkline_router.cache.samples import footing, question, reading
from trunkline_router.cache.footing import names_for, narrowed
from trunkline_shared.store.generation_port import Generation, Reading

WIDE = question(exact=("gh:a/b#1:diff",), wide=("gh:a/b",))
CHECKS = "gh:a/b@sha:checks"


def test_a_wide_tag_gives_way_to_what_lies_beneath_it() -> None:
    """Otherwise every change in a repository would spoil what depends on one commit."""
    assert narrowed(WIDE, (CHECKS,)) == ("gh:a/b#1:diff", CHECKS)
    assert narrowed(WIDE, ()) == ("gh:a/b#1:diff", "gh:a/b")
    assert narrowed(WIDE, ("gh:c/d@sha:checks",)) == (
        "gh:a/b#1:diff",
        "gh:a/b",
        "gh:c/d@sha:checks",
    )


def test_generations_of_wide_tags_are_read_but_spoil_nothing_once_narrowed() -> None:
    """They only tell later whether anything beneath them has changed."""
    names, wanted = names_for(WIDE, narrowed(WIDE, (CHECKS,)))
    assert ">gh:a/b" not in names
    assert ">gh:a/b" in wanted


@pytest.mark.parametrize("name", ["=gh", "=gh:a/b", "=gh:a/b#1", ">gh:a/b#1:comments"])
def test_each_generation_that_spoils_changes_the_key(name: str) -> None:
    """A bump of the tag, of one above it, or of one beneath it."""
    asked = question()
    before = footing(asked)
    after = footing(asked, seen=reading(names_for(asked, before.tags)[1], **{name: "2"}))
    assert before.key != after.key


def test_the_root_changes_every_key() -> None:
    """A store that is another one now has nothing of the old one's."""
    before = footing(question())
    assert replace(before, reading=replace(before.reading, root="other")).key != before.key


def test_keys_of_other_tags_differ_though_their_nonces_are_the_same() -> None:
    """Nonces alone would not tell which names they stand for."""
    asked = question(exact=())
    assert footing(asked, ("gh:a/b#1",)).key != footing(asked, ("gh:a/b#2",)).key


def test_only_what_was_read_can_be_covered() -> None:
    """A tag that is told must lie beneath one whose generation was read before."""
    stands = footing(WIDE)
    assert stands.covers(("gh:a/b#1:diff", CHECKS))
    assert not stands.covers(("gh:c/d",))
    assert not footing(question()).covers((CHECKS,))


@pytest.mark.parametrize(
    ("generation", "held"),
    [
        (Generation("1"), False),
        (Generation("1", bumped_s=9.9), True),
        (Generation("1", bumped_s=10.1), False),
        (Generation("1", bumped_s=11, held_s=0.1), True),
    ],
)
def test_an_answer_too_close_to_a_change_is_not_kept(generation: Generation, *, held: bool) -> None:
    """Its vendor may have answered with what was before."""
    stands = footing(question())
    by_name = dict(stands.reading.by_name) | {stands.names[0]: generation}
    assert replace(stands, reading=Reading("root", by_name)).is_held(10) is held


def test_what_changed_meanwhile_is_seen_in_the_names_that_both_have() -> None:
    """Names that were not read before tell nothing."""
    stands = footing(question())
    same = dict(stands.reading.by_name) | {"=other": Generation("9")}
    assert stands.is_unchanged(same, "root")
    assert not stands.is_unchanged(same, "another")
    assert not stands.is_unchanged(same | {stands.names[0]: Generation("2")}, "root")
