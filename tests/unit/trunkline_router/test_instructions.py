"""What the model is told."""

from dataclasses import dataclass, field

from trunkline_router.catalogue.directory import Listing, merge
from trunkline_router.catalogue.instructions import disabled, instructions_of, servers_of
from trunkline_shared.capabilities import LONGEST_DESCRIPTION, Capability, capability_lines


@dataclass(frozen=True, kw_only=True)
class Doing:
    """How servers are doing: `failed` how often in a row, `shut` those that no call reaches."""

    failed: dict[str, int] = field(default_factory=dict)
    shut: frozenset[str] = frozenset()

    def admits(self, server: str) -> bool:
        return server not in self.shut

    def failures(self, server: str) -> int:
        return self.failed.get(server, 0)


WELL = Doing()


def test_each_server_has_a_short_line_in_the_order_of_their_ids() -> None:
    """Long texts are cut at a sentence; one that is down says so in its own line."""
    long = "First sentence. " + "Second sentence that goes on. " * 20
    listings = [
        Listing(server="down", instructions="Gone."),
        Listing(server="b"),
        Listing(server="a", instructions=long),
    ]
    whole = merge(listings, ["down", "never"], frozenset())
    first, a, b, down, never = instructions_of(whole, None, Doing(failed={"down": 2})).splitlines()
    assert first == "Tools of several servers behind one URL."
    assert a.startswith("- a: First sentence.")
    assert len(a) < 270
    assert a.endswith(". [available]")
    assert b == "- b: (no description) [available]"
    assert down == "- down: Gone. [DISABLED (2 failures)]"
    assert never == "- never: (no description) [DISABLED (0 failures)]"


def test_a_server_whose_breaker_is_open_is_disabled() -> None:
    """With how often it has failed, in the very words of the bridge's text."""
    listings = [Listing(server=name, instructions=f"{name}.") for name in ("a", "b")]
    doing = Doing(failed={"a": 3, "b": 2}, shut=frozenset({"a"}))
    directory = merge(listings, (), frozenset())
    told = instructions_of(directory, None, doing).splitlines()[1:]
    assert told == capability_lines([
        Capability(name="a", description="a.", failures=3),
        Capability(name="b", description="b."),
    ])
    assert told[0] == "- a: a. [DISABLED (3 failures)]"
    assert disabled(directory, doing) == {"a"}


def test_a_text_without_a_sentence_is_cut_all_the_same() -> None:
    """One endless word does not reach the model."""
    listings = [Listing(server="a", instructions="x" * 99_999)]
    directory = merge(listings, (), frozenset())
    text = instructions_of(directory, None, WELL)
    assert text.endswith("… [available]")
    assert len(servers_of(directory)["a"]) <= LONGEST_DESCRIPTION


def test_one_server_speaks_for_itself() -> None:
    """Its own text, and that it is away when it is, or when its breaker is open."""
    own = [Listing(server="a", instructions="Own words.")]
    here = merge(own, (), frozenset())
    assert instructions_of(here, "a", WELL) == "Own words."
    away = instructions_of(merge(own, ["a"], frozenset()), "a", WELL)
    assert away == "Own words.\nNot available at the moment: a."
    assert instructions_of(here, "a", Doing(shut=frozenset({"a"}))) == away
