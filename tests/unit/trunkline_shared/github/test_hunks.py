"""Hunks: the lines that a patch shows, judged by a comparison that never reads patches."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.github.hunks import parsed
from trunkline_shared.testing.github import ChangedFile

LINES = st.lists(st.sampled_from(["a", "b", "c", "@@ -1 +1 @@", "+x", "-y", " ", "\u2028"]))
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def test_a_patch_that_is_cut_off_shows_the_lines_that_are_there() -> None:
    """The header of a cut patch promises more than there is; what is there counts."""
    (hunk,) = parsed("@@ -10,6 +10,7 @@ def f():\n one\n-two\n+2\n+3")
    assert (hunk.old_start, hunk.old_count) == (10, 2)
    assert (hunk.new_start, hunk.new_count) == (10, 3)


def test_a_count_that_is_left_out_is_one_and_the_note_about_the_end_is_no_line() -> None:
    """`@@ -1 +1 @@` is one line in each, and the note about a missing line end none."""
    (hunk,) = parsed("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b")
    assert (hunk.old_count, hunk.new_count) == (1, 1)


def test_what_is_no_patch_has_no_hunks() -> None:
    """Empty texts and headers of files show nothing."""
    assert list(parsed("")) == []
    assert list(parsed("Binary files a/x and b/x differ")) == []


@given(before=TEXTS, after=TEXTS)
def test_a_line_is_shown_exactly_when_the_comparison_says_so(before: str, after: str) -> None:
    """For any two files, the hunks cover the lines that the comparison put into them."""
    changed = ChangedFile(path="f", before=before, after=after)
    hunks = list(parsed(changed.patch or ""))
    for line in range(1, 50):
        right = [n for n, h in enumerate(hunks) if h.new_start <= line < h.new_start + h.new_count]
        left = [n for n, h in enumerate(hunks) if h.old_start <= line < h.old_start + h.old_count]
        assert right == [n for n in [changed.hunk_of("RIGHT", line)] if n is not None]
        assert left == [n for n in [changed.hunk_of("LEFT", line)] if n is not None]
