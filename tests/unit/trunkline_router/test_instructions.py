"""What the model is told."""

from trunkline_router.catalogue.directory import Listing, merge
from trunkline_router.catalogue.instructions import instructions_of


def test_each_server_has_a_short_line_and_the_missing_are_named() -> None:
    """Long texts are cut at a sentence; a server that is down is not praised."""
    long = "First sentence. " + "Second sentence that goes on. " * 20
    listings = [
        Listing(server="a", instructions=long),
        Listing(server="b"),
        Listing(server="down", instructions="Gone."),
    ]
    text = instructions_of(merge(listings, ["down"], frozenset()), None)
    first, a, b, missing = text.splitlines()
    assert first == "Tools of several servers behind one URL."
    assert a.startswith("- a: First sentence.")
    assert len(a) < 260
    assert a.endswith(".")
    assert b == "- b: (no description)"
    assert missing == "Not available at the moment: down."


def test_a_text_without_a_sentence_is_cut_all_the_same() -> None:
    """One endless word does not reach the model."""
    text = instructions_of(
        merge([Listing(server="a", instructions="x" * 999)], (), frozenset()), None
    )
    assert text.endswith("…")
    assert len(text) < 320


def test_one_server_speaks_for_itself() -> None:
    """Its own text, and that it is away when it is."""
    own = [Listing(server="a", instructions="Own words.")]
    assert instructions_of(merge(own, (), frozenset()), "a") == "Own words."
    away = instructions_of(merge(own, ["a"], frozenset()), "a")
    assert away == "Own words.\nNot available at the moment: a."
