"""The lines about servers: whatever a server says of itself stays on its own line, as text."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.capabilities import Capability, capability_lines, plain_line, summary


@given(text=st.text(st.characters(), max_size=400))
def test_any_text_is_one_line_without_markup_or_controls(text: str) -> None:
    """No line break that any reader knows, no bracket, nothing invisible."""
    line = plain_line(text)
    assert len(line.splitlines()) <= 1
    assert not set(line) & set("[]<>`\u200b\u202e")
    assert all(unicodedata.category(one) not in {"Cc", "Cs"} for one in line)


@given(text=st.text(max_size=600), failures=st.one_of(st.none(), st.integers(0, 9)))
def test_only_the_end_of_a_line_says_how_its_server_stands(text: str, failures: int | None) -> None:
    """One state, in brackets, which a description cannot have."""
    (line,) = capability_lines([Capability(name="a", description=text, failures=failures)])
    state = "available" if failures is None else f"DISABLED ({failures} failures)"
    assert line.startswith("- a: ")
    assert line.endswith(f" [{state}]")
    assert line.count("[") == line.count("]") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "(no description)"),
        ("One.\n\nTwo.", "One. Two."),
        ("a" * 300, "a" * 239 + "…"),
        ("First sentence. " + "b" * 300, "First sentence."),
    ],
)
def test_a_description_is_short(text: str, said: str) -> None:
    """Cut at the end of a sentence where there is one."""
    assert summary(text) == said
