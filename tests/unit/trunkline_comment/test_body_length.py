"""Bodies too long for GitHub, cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from trunkline_comment.body_length import (
    Limits,
    Piece,
    fits,
    split,
    truncate,
)
from trunkline_shared.github.outgoing_text import MAX_BYTES, MAX_CHARACTERS


def long(unit: str, characters: int = 100_000) -> str:
    return unit * (characters // len(unit) + 1)


HEAD = "<!-- trunkline:marker=" + "m" * 200 + " part=10/10 -->\n"
SMALL = Limits(characters=3_000, bytes=8_000)
"""Small enough to try many texts; the words of a text are longer than what a cut adds."""

UNITS = [
    *[
        "alpha beta ",
        "word\n",
        "`code` ",
        "\n",
        "\r\n",
        "\t",
        "# head\n",
        "***\n",
        "[l]: http://x\n",
    ],
    *["- item\n", "  - sub\n", "1. one\n", "   three\n", "    code\n", "> quote\n", "> > deep\n"],
    *["```py\n", "```\n", "~~~\n", "````\n", "   ```sh\n", "> ```\n", "- ```\n", "  ```\n"],
    *["| a | b |\n|---|---|\n", "| 1 | 2 |\n", "<b>\n", "<pre>\n", "</pre>\n", "<?x\n", "?>\n"],
    *["<details>\n", "</details>\n", "<details><summary>x</summary>\n\n", "<!-- c\n", "-->\n"],
    *["👩‍👩‍👧", "漢字漢字", "é" * 30, "e\u0301", "🇩🇪🇫🇷", "<!-- one -->\n", "@name "],
]
MIXED = st.lists(st.sampled_from(UNITS), min_size=1, max_size=60).map("".join)
BODIES = st.builds(long, MIXED, st.integers(2_000, 12_000))

many = settings(max_examples=100)


def last_line_is_prose(markdown: str) -> bool:
    """Say whether the last line of a text is a paragraph of its own, so that it is seen as text."""
    tokens = MarkdownIt("commonmark").parse(markdown)
    return [t.type for t in tokens[-3:]] == ["paragraph_open", "inline", "paragraph_close"] and (
        tokens[-3].level == 0
    )


def is_subsequence(wanted: str, of: str) -> bool:
    remaining = iter(of)
    return all(character in remaining for character in wanted)


def rendered(pieces: list[Piece]) -> list[str]:
    return [piece.rendered for piece in pieces]


def test_the_limit_is_65536_code_points_and_not_utf16_units_or_bytes() -> None:
    """A body of 65,536 emoji is 262,144 bytes and just fits."""
    body = "😀" * MAX_CHARACTERS
    assert len(body.encode()) == MAX_BYTES
    assert fits(body)
    assert not fits(body + "a")


def test_a_body_that_fits_is_left_alone() -> None:
    """Neither truncating nor splitting touches a body within the limits."""
    body = "a" * (MAX_CHARACTERS - len(HEAD))
    assert truncate(body, HEAD) == HEAD + body
    assert rendered(split(body, HEAD)) == [body]


@many
@given(BODIES)
def test_a_truncated_body_is_within_both_limits_and_says_what_is_missing(body: str) -> None:
    """The head stays, the notice is seen as text, and it counts what is not shown."""
    cut = truncate(body, HEAD, SMALL)
    assert SMALL.hold(cut)
    assert cut.startswith(HEAD)
    if not SMALL.hold(HEAD + body):
        assert cut.splitlines()[-1].startswith("_Truncated: ")
        assert f"of {len(body):,} characters" in cut
        assert last_line_is_prose(cut)


@many
@given(BODIES)
def test_every_part_of_a_split_body_is_within_both_limits_and_numbered(body: str) -> None:
    """Each part fits below its marker, and its note is read as text: what was open is closed."""
    pieces = split(body, HEAD, SMALL)
    for part, text in enumerate(rendered(pieces), 1):
        assert SMALL.hold(HEAD + text)
        if len(pieces) > 1:
            assert text.endswith(f"_Part {part} of {len(pieces)}_\n")
            assert last_line_is_prose(text)


@many
@given(BODIES)
def test_splitting_loses_no_visible_text(body: str) -> None:
    """The authors' texts of the parts are the body, and all of it stands in the parts."""
    pieces = split(body, "", SMALL)
    assert "".join(piece.text for piece in pieces) == body
    if len(pieces) > 1:
        assert is_subsequence(body, "".join(rendered(pieces)))


def test_a_cut_is_made_before_a_fence_when_that_keeps_half() -> None:
    """A fence that would be cut is moved whole to the next part."""
    prose, fence = long("word and word\n", 40_000), "```py\n" + long("x = 1\n", 30_000) + "```\n"
    first, second = split(prose + "\n" + fence)
    assert first.text == prose + "\n"
    assert second.text == fence


def test_a_fence_that_must_be_cut_is_closed_and_opened_again_with_its_info_string() -> None:
    """Both parts are code of the same language."""
    body = "````diff title=a\n" + long("+ x\n") + "````\n"
    first, second = split(body)
    assert "\n````\n\n_Part 1 of 2_" in first.rendered
    assert second.rendered.startswith("````diff title=a\n+ x\n")


def test_a_fence_in_a_quote_is_opened_again_inside_a_quote() -> None:
    """The next part's lines begin with `>`, so its fence must as well."""
    body = "> ```py\n" + long("> x = 1\n") + "> ```\n"
    _, second = split(body)
    assert second.rendered.startswith("> ```py\n> x")


def test_a_text_cut_below_details_closes_and_reopens_them() -> None:
    """The notice is never folded away."""
    body = "<details><summary>log</summary>\n\n" + long("line of log\n\n") + "</details>\n"
    assert "</details>\n\n_Truncated" in truncate(body)
    assert split(body)[1].rendered.startswith("<details open>\n\nline of log")


def test_a_details_tag_inside_code_opens_nothing() -> None:
    """What is shown as code is not an element."""
    body = "`<details>` and\n\n```\n<details>\n```\n\n" + long("word\n\n")
    assert "</details>" not in truncate(body)


def test_a_comment_that_must_be_cut_is_closed() -> None:
    """The notice is never hidden in an HTML comment."""
    assert "-->\n\n_Truncated" in truncate("<!-- " + long("hidden\n") + "-->\n")


@pytest.mark.parametrize(
    "cluster", ["👩‍👩‍👧‍👦", "🇩🇪", "e\u0301", "👍🏽", "한", "🏴\U000e0067\U000e007f", "\r\n"]
)
def test_one_endless_line_is_cut_between_grapheme_clusters(cluster: str) -> None:
    """No family, flag, accent or line end is torn apart."""
    first, *_ = split(long(cluster, 150_000))
    assert len(first.text) % len(cluster) == 0
    assert len(first.text) > MAX_CHARACTERS - 1_100


def test_one_endless_line_of_words_is_cut_between_words() -> None:
    """A word is kept whole where there is a blank near by."""
    first, second = split(long("lorem ipsum "))
    assert first.text.endswith(" ")
    assert second.text.startswith(("lorem", "ipsum"))


def test_a_cluster_without_end_is_cut_all_the_same() -> None:
    """Stacked accents cannot make a body uncuttable."""
    assert all(fits(text) for text in rendered(split("a" + "\u0301" * 100_000)))


@pytest.mark.parametrize(
    "unit", ["```\n", "> ", "* a\n", "<details>\n\n", "`" * 999, "\n", "~~~~ x\n"]
)
def test_hostile_bodies_are_cut_in_time_and_within_the_limits(unit: str) -> None:
    """Nothing that a stranger can write makes a part too long."""
    assert all(fits(HEAD + text) for text in rendered(split(long(unit), HEAD)))
