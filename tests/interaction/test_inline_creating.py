"""Creating inline comments through a real client, against the GitHub stand-in."""

from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import COMMENTS, World, world
from trunkline_shared.testing.github import ChangedFile, GitHubStandIn

pytestmark = pytest.mark.anyio

SUGGESTION = "Shorter:\n\n```suggestion\nline 5\n```\n"


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


def sent(here: World) -> dict[str, object]:
    """Return what was posted last."""
    body = here.github.requests.matching("POST", COMMENTS)[-1].json
    assert isinstance(body, dict)
    return body


async def test_create_inline_comment_answers_as_the_seed_says_and_more(here: World) -> None:
    """The seed's success, comment_id, html_url, path and line, with where it stands."""
    answer = await here.call("create_inline_comment", path="src/app.py", line=5, body="Why?")
    (comment,) = here.pull.review_comments
    assert answer == {
        "success": True,
        "comment_id": comment.id,
        "html_url": f"https://github.com/acme/widgets/pull/2#discussion_r{comment.id}",
        "path": "src/app.py",
        "line": 5,
        "start_line": None,
        "side": "RIGHT",
        "commit_id": here.head(),
        "original_line": 5,
        "outdated": False,
        "created": True,
        "head_moved": False,
        "note": "",
    }
    assert comment.body.startswith("<!-- trunkline:marker=inline-")
    assert comment.body.endswith("-->\nWhy?")


@pytest.mark.requirement("inline.range")
async def test_a_range_is_sent_with_both_ends_and_their_sides(here: World) -> None:
    """`start_side` is never "side", and `position` is never sent."""
    answer = await here.call(
        "create_inline_comment", path="src/app.py", startLine=4, line=6, body="Why?"
    )
    assert (answer["start_line"], answer["line"]) == (4, 6)
    assert sent(here) == IsPartialDict(
        start_line=4, start_side="RIGHT", line=6, side="RIGHT", commit_id=here.head()
    )
    assert "position" not in sent(here)


@pytest.mark.requirement("inline.range")
async def test_a_range_may_begin_on_the_other_side_of_its_hunk(here: World) -> None:
    """A deleted line and the one that took its place."""
    await here.call(
        "create_inline_comment",
        path="src/app.py",
        startLine=5,
        start_side="LEFT",
        line=5,
        body="Why?",
    )
    assert sent(here) == IsPartialDict(start_side="LEFT", side="RIGHT")


@pytest.mark.requirement("inline.single-line")
@pytest.mark.parametrize(
    "lines", [{"startLine": 5, "line": 5}, {"startLine": 5}, {"start_line": 5}]
)
async def test_one_line_is_a_single_line_however_it_is_said(
    here: World, lines: dict[str, int]
) -> None:
    """Equal ends, or the start alone, which the seed accepts."""
    answer = await here.call("create_inline_comment", path="src/app.py", body="Why?", **lines)
    assert (answer["line"], answer["start_line"]) == (5, None)
    assert "start_line" not in sent(here)


@pytest.mark.requirement("inline.bad-lines")
@pytest.mark.parametrize(
    ("lines", "field"),
    [
        ({"line": 0}, "line"),
        ({"line": -3}, "line"),
        ({"line": 5.5}, "line"),
        ({"line": True}, "line"),
        ({"line": "five"}, "line"),
        ({"line": 5, "startLine": 0}, "startLine"),
        ({"line": 5, "startLine": 6}, "startLine"),
        ({}, "line"),
        ({"line": 5, "subject_type": "file"}, "line"),
    ],
)
async def test_lines_that_are_none_are_refused_before_anything_is_asked(
    here: World, lines: dict[str, object], field: str
) -> None:
    """Zero, negative, fractional, missing, backwards: INVALID_INPUT names the argument."""
    error = await here.refused("create_inline_comment", path="src/app.py", body="Why?", **lines)
    assert error["error_code"] == "INVALID_INPUT"
    assert field in error["details"]["field_errors"][0]["field"]
    assert not here.github.requests.matching()


@pytest.mark.requirement("inline.outside-diff")
async def test_a_line_outside_the_diff_is_never_sent_and_one_retry_succeeds(here: World) -> None:
    """LINE_NOT_IN_DIFF with the valid ranges and the nearest, which works as it is."""
    error = await here.refused("create_inline_comment", path="src/app.py", line=15, body="Why?")
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    details = error["details"]
    assert details == {
        "reason": "line_not_in_diff",
        "path": "src/app.py",
        "side": "RIGHT",
        "line": 15,
        "valid_ranges": [[2, 8], [27, 32]],
        "nearest": {"line": 8, "side": "RIGHT"},
        "head_sha": here.head(),
    }
    assert not here.github.requests.matching("POST")
    await here.call("create_inline_comment", path="src/app.py", body="Why?", **details["nearest"])
    assert here.pull.review_comments[0].line == 8


@pytest.mark.requirement("inline.outside-diff")
@pytest.mark.parametrize(("outside", "line"), [("nearest", 8), ("file", None)])
async def test_a_line_outside_the_diff_can_be_moved_at_once(
    here: World, outside: str, line: int | None
) -> None:
    """`on_outside_diff` spares the retry, and the answer says what was done."""
    answer = await here.call(
        "create_inline_comment", path="src/app.py", line=15, body="Why?", on_outside_diff=outside
    )
    assert answer["line"] == line
    assert "line 15 is not in the diff" in answer["note"]
    assert answer["outdated"] is False


@pytest.mark.requirement("inline.range")
async def test_a_range_over_two_hunks_is_told_with_the_part_that_works(here: World) -> None:
    """GitHub wants both ends in one hunk."""
    error = await here.refused(
        "create_inline_comment", path="src/app.py", startLine=5, line=29, body="Why?"
    )
    assert error["details"]["reason"] == "range_across_hunks"
    assert error["details"]["nearest"] == {"startLine": 27, "line": 29, "side": "RIGHT"}


@pytest.mark.requirement("inline.sides")
async def test_left_counts_the_base_and_right_the_head(here: World) -> None:
    """The deleted line 30 exists on the left only; behind it the numbers differ by one."""
    await here.call("create_inline_comment", path="src/app.py", line=33, side="LEFT", body="Why?")
    assert here.pull.review_comments[0].side == "LEFT"
    error = await here.refused("create_inline_comment", path="src/app.py", line=33, body="Why?")
    assert error["details"]["nearest"] == {"line": 32, "side": "RIGHT"}


@pytest.mark.requirement("inline.sides")
async def test_a_removed_file_can_be_commented_on_its_left_only(here: World) -> None:
    """The nearest line is on the other side, and says so."""
    error = await here.refused("create_inline_comment", path="gone.py", line=2, body="Why?")
    assert error["details"]["valid_ranges"] == []
    assert error["details"]["nearest"] == {"line": 2, "side": "LEFT"}


@pytest.mark.requirement("inline.renamed")
async def test_the_old_path_of_a_renamed_file_leads_to_the_new_one(here: World) -> None:
    """GitHub takes the new path only; the answer says that it was used."""
    answer = await here.call("create_inline_comment", path="old/name.py", line=5, body="Why?")
    assert answer["path"] == "new/name.py"
    assert answer["note"] == "old/name.py is renamed to new/name.py."


@pytest.mark.requirement("inline.no-patch")
async def test_a_file_without_a_patch_takes_file_comments_only(here: World) -> None:
    """Binary, very large, mode-only: `subject_type: file`."""
    error = await here.refused("create_inline_comment", path="logo.png", line=1, body="Why?")
    assert error["error_code"] == "LINE_NOT_IN_DIFF"
    assert error["details"]["reason"] == "no_patch"
    assert "subject_type='file'" in error["hint"]
    answer = await here.call(
        "create_inline_comment", path="logo.png", subject_type="file", body="Why?"
    )
    assert (answer["line"], answer["outdated"]) == (None, False)


@pytest.mark.requirement("inline.no-patch")
async def test_a_file_too_large_for_a_patch_is_like_a_binary_one(here: World) -> None:
    """GitHub leaves the patch out of very large files as well."""
    huge = ChangedFile(path="huge.py", before="a\n", after="b\n", too_large=True)
    here.repository.push(here.pull, huge)
    error = await here.refused("create_inline_comment", path="huge.py", line=1, body="Why?")
    assert error["details"]["reason"] == "no_patch"


@pytest.mark.requirement("inline.paths")
@pytest.mark.parametrize("path", ["./src/app.py", "src\\app.py", "/src/app.py"])
async def test_a_path_in_another_spelling_is_mended(here: World, path: str) -> None:
    """Windows separators, `./`, a leading slash."""
    answer = await here.call("create_inline_comment", path=path, line=5, body="Why?")
    assert answer["path"] == "src/app.py"


@pytest.mark.requirement("inline.paths")
@pytest.mark.parametrize("path", ["SRC/app.py", "app.py", "src/ap.py"])
async def test_an_unknown_path_is_answered_with_the_closest(here: World, path: str) -> None:
    """A difference in case is not mended silently: on the head they may be two files."""
    error = await here.refused("create_inline_comment", path=path, line=15, body="Why?")
    assert error["details"] == IsPartialDict(
        reason="path_not_in_diff",
        nearest_path="src/app.py",
        nearest={"line": 8, "side": "RIGHT"},
        valid_ranges=[[2, 8], [27, 32]],
    )


@pytest.mark.requirement("inline.paths")
async def test_a_path_that_leaves_the_repository_is_refused(here: World) -> None:
    """`..` is never resolved."""
    error = await here.refused("create_inline_comment", path="../etc/passwd", line=5, body="Why?")
    assert error["error_code"] == "INVALID_INPUT"
    assert not here.github.requests.matching()


@pytest.mark.requirement("inline.suggestion")
async def test_a_suggestion_arrives_as_it_was_written(here: World) -> None:
    """Fences, line ends and the last line end are GitHub's to read, not ours to mend."""
    bodies = (SUGGESTION, SUGGESTION.replace("\n", "\r\n"), "````suggestion\n```\n````")
    for line, body in enumerate(bodies, start=4):
        await here.call("create_inline_comment", path="src/app.py", line=line, body=body)
        assert here.pull.review_comments[-1].body.partition("-->\n")[2] == body


@pytest.mark.requirement("inline.suggestion")
@pytest.mark.parametrize(
    ("place", "code", "reason"),
    [
        ({"path": "src/app.py", "line": 5, "side": "LEFT"}, "INVALID_INPUT", "not_on_right"),
        ({"path": "src/app.py", "subject_type": "file"}, "INVALID_INPUT", "of_whole_file"),
        ({"path": "logo.png", "line": 1}, "LINE_NOT_IN_DIFF", "no_patch"),
        ({"path": "gone.py", "line": 1}, "LINE_NOT_IN_DIFF", "line_not_in_diff"),
        (
            {"path": "src/app.py", "line": 15, "on_outside_diff": "nearest"},
            "LINE_NOT_IN_DIFF",
            "line_not_in_diff",
        ),
    ],
)
async def test_a_suggestion_needs_lines_of_the_head(
    here: World, place: dict[str, object], code: str, reason: str
) -> None:
    """Not on deleted lines, not on whole files, and never moved to other lines."""
    error = await here.refused("create_inline_comment", body=SUGGESTION, **place)
    assert error["error_code"] == code
    assert reason in error["details"]["reason"]


@pytest.mark.requirement("inline.suggestion")
async def test_a_suggestion_that_is_fenced_wrongly_is_refused_with_the_fix(here: World) -> None:
    """Three backticks inside need a longer fence outside."""
    body = "```suggestion\n```python\nx = 1\n```\n```"
    error = await here.refused("create_inline_comment", path="src/app.py", line=5, body=body)
    assert error["error_code"] == "INVALID_INPUT"
    assert "````suggestion" in error["message"]
