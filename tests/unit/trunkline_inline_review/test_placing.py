"""Whether our verdict on an anchor is GitHub's, and whether what we offer instead is valid."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_inline_review.diffs import (
    changed_files,
    github_takes,
    index_of,
    wanted_in,
)
from trunkline_inline_review.anchors import Anchor, Rejection, Wanted
from trunkline_inline_review.placing import OnOutside, malformed, place
from trunkline_shared.errors import InvalidInput, LineNotInDiff
from trunkline_shared.testing.github import ChangedFile

OLD = "".join(f"line {n}\n" for n in range(1, 41))
NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "")
FILE = ChangedFile(path="src/app.py", before=OLD, after=NEW)
BINARY = ChangedFile(path="logo.png", before="", after="x", binary=True)
MOVED = ChangedFile(path="new/name.py", previous_path="old/name.py", before=OLD, after=NEW)
GONE = ChangedFile(path="gone.py", before="one\ntwo\n")
INDEX = index_of(FILE, BINARY, MOVED, GONE)


def rejected(wanted: Wanted, outside: OnOutside = "error") -> Rejection:
    """Return why the anchor is not valid."""
    found = place(INDEX, wanted, outside)
    assert isinstance(found, Rejection)
    return found


def placed(wanted: Wanted, outside: OnOutside = "error") -> Anchor:
    """Return the anchor that is valid."""
    found = place(INDEX, wanted, outside)
    assert isinstance(found, Anchor), found
    return found


@given(file=changed_files(), wanted=wanted_in())
def test_we_accept_what_github_accepts_and_nothing_else(file: ChangedFile, wanted: Wanted) -> None:
    """Our verdict, read from the patch, is the one that the contents give."""
    if malformed(wanted) is not None:
        return
    found = place(index_of(file), wanted)
    begin = wanted.begin
    asked = Anchor(
        path=file.path,
        line=wanted.end,
        side=wanted.side,
        start_line=begin[1] if begin else None,
        start_side=begin[0] if begin else None,
    )
    if isinstance(found, Anchor):
        assert github_takes(file, found)
        assert found.start_line is None or github_takes(file, asked)
    else:
        assert not github_takes(file, asked)


@given(file=changed_files(), wanted=wanted_in())
def test_what_a_rejection_offers_is_accepted_on_the_next_try(
    file: ChangedFile, wanted: Wanted
) -> None:
    """The nearest place and every line of the valid ranges are taken by GitHub, and by us."""
    found = place(index_of(file), wanted)
    if not isinstance(found, Rejection):
        return
    if found.nearest is not None:
        assert github_takes(file, found.nearest)
        near = found.nearest
        again = Wanted(
            path=found.nearest_path or found.path,
            line=near.line,
            start_line=near.start_line,
            side=near.side,
            start_side=near.start_side,
        )
        assert isinstance(place(index_of(file), again), Anchor)
    for first, last in found.ranges:
        for line in range(first, last + 1):
            assert github_takes(file, Anchor(path="a.py", line=line, side=wanted.side))


@given(file=changed_files(), wanted=wanted_in(), outside=st.sampled_from(["file", "nearest"]))
def test_whatever_is_moved_is_moved_to_where_github_takes_it(
    file: ChangedFile, wanted: Wanted, outside: OnOutside
) -> None:
    """`on_outside_diff` never ends in a refusal by GitHub."""
    found = place(index_of(file), wanted, outside)
    if isinstance(found, Anchor):
        assert github_takes(file, found)


@pytest.mark.parametrize(
    ("wanted", "ranges", "nearest"),
    [
        (Wanted(path="src/app.py", line=15), ((2, 8), (27, 32)), {"line": 8, "side": "RIGHT"}),
        (
            Wanted(path="src/app.py", line=40, side="LEFT"),
            ((2, 8), (27, 33)),
            {"line": 33, "side": "LEFT"},
        ),
        (Wanted(path="gone.py", line=2), (), {"line": 2, "side": "LEFT"}),
    ],
)
def test_a_line_outside_the_diff_is_told_with_ranges_and_the_nearest(
    wanted: Wanted, ranges: tuple[tuple[int, int], ...], nearest: dict[str, object]
) -> None:
    """LINE_NOT_IN_DIFF carries all that the next try needs."""
    error = rejected(wanted).error()
    assert isinstance(error, LineNotInDiff)
    assert error.details["reason"] == "line_not_in_diff"
    assert error.details["valid_ranges"] == [list(one) for one in ranges]
    assert error.details["nearest"] == nearest


def test_a_range_over_two_hunks_is_told_and_shortened() -> None:
    """The nearest is the part of the range in the hunk of its last line."""
    found = rejected(Wanted(path="src/app.py", start_line=5, line=29))
    assert found.reason == "range_across_hunks"
    assert found.nearest is not None
    assert found.nearest.to_arguments() == {"startLine": 27, "line": 29, "side": "RIGHT"}


def test_a_range_may_begin_on_the_other_side_of_its_hunk() -> None:
    """`start_side` LEFT to RIGHT is taken when the deleted line stands above."""
    anchor = placed(Wanted(path="src/app.py", start_line=5, start_side="LEFT", line=5))
    assert anchor.to_json() == {
        "path": "src/app.py", "line": 5, "side": "RIGHT", "start_line": 5, "start_side": "LEFT"
    }  # fmt: skip
    below = rejected(
        Wanted(path="src/app.py", start_line=5, line=5, side="LEFT", start_side="RIGHT")
    )
    assert below.reason == "start_below_line"


def test_the_two_numbers_of_one_context_line_are_a_single_line() -> None:
    """Behind the deleted line 30, the base's 32 is the head's 31."""
    wanted = Wanted(path="src/app.py", start_line=32, start_side="LEFT", line=31)
    assert placed(wanted).to_json() == {"path": "src/app.py", "line": 31, "side": "RIGHT"}


def test_the_nearest_range_keeps_the_side_on_which_it_begins() -> None:
    """What it offers is spelled as the tool's own arguments."""
    found = rejected(Wanted(path="src/app.py", start_line=20, start_side="LEFT", line=40))
    assert found.nearest is not None
    assert found.nearest.to_arguments() == {
        "startLine": 27, "start_side": "LEFT", "line": 32, "side": "RIGHT"
    }  # fmt: skip


def test_equal_start_and_end_are_a_single_line() -> None:
    """GitHub refuses a range of one line, so none is sent."""
    assert placed(Wanted(path="src/app.py", start_line=5, line=5)).start_line is None
    assert placed(Wanted(path="src/app.py", start_line=5)).to_json()["line"] == 5


def test_a_start_after_the_line_is_a_bad_argument() -> None:
    """INVALID_INPUT names the field; no diff is needed to know it."""
    error = rejected(Wanted(path="nowhere", start_line=6, line=5)).error()
    assert isinstance(error, InvalidInput)
    assert error.details["reason"] == "start_after_line"


def test_a_renamed_file_is_found_under_its_old_path() -> None:
    """The comment goes to the new path, and says so."""
    anchor = placed(Wanted(path="old/name.py", line=5))
    assert anchor.path == "new/name.py"
    assert "renamed" in anchor.note


@pytest.mark.parametrize("path", ["./src/app.py", "src\\app.py", "/src//app.py", ".\\src/./app.py"])
def test_a_path_in_another_spelling_is_the_same_file(path: str) -> None:
    """Windows separators, `./` and doubled slashes are mended."""
    assert placed(Wanted(path=path, line=5)).path == "src/app.py"


@pytest.mark.parametrize("path", ["../src/app.py", "src/../../etc/passwd", "..\\app.py", "", "/"])
def test_a_path_that_leaves_the_repository_is_refused(path: str) -> None:
    """`..` is never resolved."""
    assert rejected(Wanted(path=path, line=5)).reason == "path_leaves_repository"


@pytest.mark.parametrize(
    "path", ["SRC/App.py", "app.py", "b/src/app.py", "repo/src/app.py", "src/ap.py"]
)
def test_an_unknown_path_is_answered_with_the_closest(path: str) -> None:
    """Another case, a part of the path, a diff's prefix, a slip: the file that is meant."""
    found = rejected(Wanted(path=path, line=15))
    assert (found.reason, found.nearest_path) == ("path_not_in_diff", "src/app.py")
    assert found.nearest is not None
    assert found.nearest.line == 8


@pytest.mark.parametrize("outside", ["error", "file"])
def test_a_file_without_a_patch_takes_comments_on_the_whole_only(outside: OnOutside) -> None:
    """Binary, huge, mode-only: `subject_type: file`, which the fallback does at once."""
    assert rejected(Wanted(path="logo.png", line=1)).reason == "no_patch"
    assert placed(Wanted(path="logo.png", line=1), "file").line is None
    assert placed(Wanted(path="logo.png", whole_file=True), outside).to_json() == {
        "path": "logo.png", "subject_type": "file"
    }  # fmt: skip
    assert rejected(Wanted(path="logo.png", line=1), "nearest").reason == "no_patch"


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (Wanted(path="src/app.py", line=5, side="LEFT", suggests=True), "suggestion_not_on_right"),
        (
            Wanted(path="src/app.py", start_line=5, start_side="LEFT", line=5, suggests=True),
            "suggestion_not_on_right",
        ),
        (Wanted(path="logo.png", line=5, suggests=True), "no_patch"),
        (Wanted(path="src/app.py", whole_file=True, suggests=True), "suggestion_of_whole_file"),
        (Wanted(path="gone.py", line=1, suggests=True), "line_not_in_diff"),
    ],
)
def test_a_suggestion_needs_lines_of_the_head(wanted: Wanted, reason: str) -> None:
    """Deleted lines, files without patch and whole files have nothing to replace."""
    assert rejected(wanted).reason == reason


@pytest.mark.parametrize("outside", ["file", "nearest"])
def test_a_suggestion_is_never_moved(outside: OnOutside) -> None:
    """It would replace lines that it was not written for."""
    assert rejected(Wanted(path="src/app.py", line=15, suggests=True), outside).nearest is not None


def test_a_place_that_was_moved_says_so() -> None:
    """`nearest` and `file` do at once what a retry would."""
    near = placed(Wanted(path="src/app.py", line=15), "nearest")
    assert (near.line, near.side) == (8, "RIGHT")
    assert "line 15 is not in the diff" in near.note
    whole = placed(Wanted(path="src/app.py", line=15), "file")
    assert whole.line is None
    assert "whole file" in whole.note


def test_many_ranges_are_cut_to_those_around_the_line() -> None:
    """An error stays small: the closest fifty, and how many there are."""
    before = "".join(f"{n}\n" for n in range(2_000))
    after = "".join(f"{n}\n" if n % 20 else f"{n}!\n" for n in range(2_000))
    found = place(
        index_of(ChangedFile(path="a", before=before, after=after)), Wanted(path="a", line=1_010)
    )
    assert isinstance(found, Rejection)
    ranges = found.details()["valid_ranges"]
    assert isinstance(ranges, list)
    assert len(ranges) == 50
    assert found.details()["valid_ranges_total"] == 100
