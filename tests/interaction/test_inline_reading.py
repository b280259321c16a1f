"""Reading review comments and commentable lines, and changing and deleting comments."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.inline_reviewing import COMMENTS, ONE, World, world
from trunkline_shared.testing.github import ChangedFile, GitHubStandIn

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """The usual world."""
    async with world(github, monkeypatch) as made:
        yield made


async def test_commentable_lines_are_told_per_file_and_side(here: World) -> None:
    """Ranges of the head and of the base; what has no patch says so."""
    answer = await here.call("get_commentable_lines")
    assert here.pull.pull is not None
    assert answer == {
        "files": [
            {
                "path": "src/app.py",
                "status": "modified",
                "previous_filename": None,
                "right": [[2, 8], [27, 32]],
                "left": [[2, 8], [27, 33]],
                "patch_missing": False,
            },
            {
                "path": "new/name.py",
                "status": "renamed",
                "previous_filename": "old/name.py",
                "right": [[2, 8], [27, 32]],
                "left": [[2, 8], [27, 33]],
                "patch_missing": False,
            },
            IsPartialDict(path="gone.py", status="removed", right=[], left=[[1, 2]]),
            IsPartialDict(path="notes.md", status="added", right=[[1, 3]], left=[]),
            IsPartialDict(path="logo.png", right=[], left=[], patch_missing=True),
        ],
        "head_sha": here.head(),
        "base_sha": here.pull.pull.base_sha,
        "truncated": False,
    }


@pytest.mark.requirement("inline.renamed")
async def test_the_lines_of_one_file_are_found_under_its_old_path_too(here: World) -> None:
    """A file that is not changed is NOT_FOUND, with the closest."""
    answer = await here.call("get_commentable_lines", path="old/name.py")
    assert [file["path"] for file in answer["files"]] == ["new/name.py"]
    error = await here.refused("get_commentable_lines", path="src/ap.py")
    assert error["error_code"] == "NOT_FOUND"
    assert error["details"]["nearest_path"] == "src/app.py"


async def test_all_pages_of_files_are_read_and_a_cut_list_says_so(here: World) -> None:
    """GitHub lists 100 files a page and 3,000 at most."""
    many = [ChangedFile(path=f"{n:04}.txt", after="x\n") for n in range(3_001)]
    here.repository.push(here.pull, *many[:201])
    answer = await here.call("get_commentable_lines")
    assert (len(answer["files"]), answer["truncated"]) == (201, False)
    assert len(here.github.requests.matching("GET", "*/pulls/2/files")) == 3
    here.repository.push(here.pull, *many)
    answer = await here.call("get_commentable_lines")
    assert (len(answer["files"]), answer["truncated"]) == (3_000, True)
    error = await here.refused("create_inline_comment", path="3000.txt", line=1, body="Why?")
    assert "first 3,000" in error["message"]


@pytest.mark.requirement("inline.listing")
async def test_comments_are_listed_with_where_they_stand(here: World) -> None:
    """Every field of a comment, a reply, and one of a deleted account."""
    made = await here.call(
        "create_inline_comment", path="src/app.py", startLine=4, line=5, body="Why?"
    )
    head = here.pull.review_comments[0]
    reply = here.pull.add_review_comment("Because.", None, path="src/app.py", line=5)
    reply.in_reply_to_id = head.id
    answer = await here.call("list_review_comments")
    one, two = answer["comments"]
    assert one == IsPartialDict(
        id=made["comment_id"],
        path="src/app.py",
        line=5,
        start_line=4,
        original_line=5,
        side="RIGHT",
        start_side="RIGHT",
        in_reply_to_id=None,
        outdated=False,
        subject_type="line",
        author={"login": "helper-bot", "type": "User"},
        commit_id=here.head(),
    )
    assert one["diff_hunk"].endswith("-line 5\n+line five")
    assert two == IsPartialDict(author=None, in_reply_to_id=head.id)


@pytest.mark.requirement("inline.outdated")
async def test_outdated_comments_keep_their_line_and_can_be_left_out(here: World) -> None:
    """`line` is null then; a comment on a whole file is not outdated."""
    here.pull.add_review_comment("gone", here.me, path="src/app.py", line=5)
    here.pull.add_review_comment("file", here.me, path="src/app.py", line=None)
    here.repository.push(here.pull, ChangedFile(path="src/app.py", after="x\n"))
    listed = (await here.call("list_review_comments"))["comments"]
    assert [(one["outdated"], one["line"], one["original_line"]) for one in listed] == [
        (True, None, 5),
        (False, None, None),
    ]
    answer = await here.call("list_review_comments", include_outdated=False)
    assert ([one["body"] for one in answer["comments"]], answer["left_out"]) == (["file"], 1)


@pytest.mark.requirement("inline.listing")
async def test_a_filter_never_looks_like_the_end_of_the_list(here: World) -> None:
    """The path is filtered here, page by page: an empty page may have more behind it."""
    for number in range(7):
        path = "src/app.py" if number == 6 else "notes.md"
        here.pull.add_review_comment(f"{number}", here.me, path=path, line=2)
    first = await here.call("list_review_comments", path="./src/app.py", per_page=3)
    assert first == IsPartialDict(
        comments=[], has_more=True, left_out=3, page_info=IsPartialDict(next_page=2, returned=0)
    )
    last = await here.call("list_review_comments", path="./src/app.py", per_page=3, page=3)
    assert ([one["body"] for one in last["comments"]], last["has_more"]) == (["6"], False)


@pytest.mark.requirement("inline.listing")
async def test_order_since_and_fields_are_as_asked(here: World) -> None:
    """GitHub sorts and filters by time; fields are chosen here."""
    for number in (1, 2, 3):
        at = datetime(2024, 1, number, tzinfo=UTC)
        here.pull.add_review_comment(f"{number}", here.me, path="notes.md", line=2, at=at)
    answer = await here.call(
        "list_review_comments",
        since="2024-01-02T00:00:00Z",
        direction="desc",
        fields=["body", "line"],
    )
    assert answer["comments"] == [{"line": 2, "body": "3"}, {"line": 2, "body": "2"}]
    error = await here.refused("list_review_comments", fields=["bodi"])
    assert "Did you mean 'body'?" in error["hint"]


@pytest.mark.requirement("inline.invisible-in")
async def test_what_a_diff_hides_is_shown_and_what_a_text_hides_is_stripped(here: World) -> None:
    """Stripping it from the diff would hide an attack."""
    comment = here.pull.add_review_comment("a\u200bb", here.me, path="notes.md", line=2)
    comment.diff_hunk = "@@ -1 +1 @@\n+if admin\u202e:"
    (listed,) = (await here.call("list_review_comments"))["comments"]
    assert listed["body"] == "ab"
    assert listed["diff_hunk"] == "@@ -1 +1 @@\n+if admin\\u{202E}:"
    assert listed["hidden_characters"] == 1


@pytest.mark.requirement("inline.invisible-in")
async def test_what_a_suggestion_hides_is_shown_and_counted(here: World) -> None:
    """Whoever applies it would bring it into the code."""
    body = "```suggestion\nadmin\u200b = False\n```"
    here.pull.add_review_comment(body, here.stranger, path="notes.md", line=2)
    (listed,) = (await here.call("list_review_comments"))["comments"]
    assert listed["body"] == "```suggestion\nadmin\\u{200B} = False\n```"
    assert listed["hidden_characters"] == 1


async def test_an_update_keeps_the_marker_and_skips_an_equal_text(here: World) -> None:
    """Else the comment would not be found as our own any more."""
    made = await here.call(
        "create_inline_comment", path="src/app.py", line=5, body="Why?", dedupe_key="finding"
    )
    named = {"comment_id": made["comment_id"]}
    changed = await here.call("update_review_comment", body="Why not?", **named)
    assert changed == IsPartialDict(success=True, edited=True, **named)
    same = await here.call("update_review_comment", body="Why not?\r\n", **named)
    assert same["edited"] is False
    assert len(here.github.requests.matching("PATCH")) == 1
    assert here.pull.review_comments[0].body == "<!-- trunkline:marker=finding -->\nWhy not?"


@pytest.mark.requirement("inline.lost-update")
async def test_an_update_after_somebody_elses_is_a_conflict(here: World) -> None:
    """With `if_unmodified_since`, a lost update is refused and the present time is told."""
    comment = here.pull.add_review_comment("theirs", here.me, path="notes.md", line=2)
    error = await here.refused(
        "update_review_comment",
        comment_id=comment.id,
        body="mine",
        if_unmodified_since="2020-01-01T00:00:00Z",
    )
    assert error["error_code"] == "CONFLICT"
    assert error["details"]["updated_at"]
    (seen,) = (await here.call("list_review_comments"))["comments"]
    await here.call(
        "update_review_comment",
        comment_id=comment.id,
        body="mine",
        if_unmodified_since=seen["updated_at"],
    )
    assert comment.body == "mine"


@pytest.mark.requirement("inline.suggestion")
async def test_an_update_brings_no_suggestion_where_there_can_be_none(here: World) -> None:
    """On deleted lines, on a whole file, or fenced wrongly."""
    left = here.pull.add_review_comment("a", here.me, path="gone.py", line=2)
    left.side = "LEFT"
    whole = here.pull.add_review_comment("b", here.me, path="notes.md", line=None)
    line = here.pull.add_review_comment("c", here.me, path="notes.md", line=2)
    block = "```suggestion\nx\n```"
    for comment, body in ((left, block), (whole, block), (line, block[:-3])):
        error = await here.refused("update_review_comment", comment_id=comment.id, body=body)
        assert error["error_code"] == "INVALID_INPUT"
    await here.call("update_review_comment", comment_id=line.id, body=block)
    assert line.body == block


async def test_a_comment_is_deleted_for_good_and_only_when_confirmed(here: World) -> None:
    """One that is gone already, also meanwhile, counts as deleted."""
    comment = here.pull.add_review_comment("a", here.me, path="notes.md", line=2)
    error = await here.refused("delete_review_comment", comment_id=comment.id, confirm=False)
    assert error["error_code"] == "INVALID_INPUT"
    gate = here.github.faults.hold("DELETE", ONE)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(
            here.call("delete_review_comment", comment_id=comment.id, confirm=True)
        )
        await gate.reached()
        here.pull.review_comments.remove(comment)
        gate.release()
    again = await here.call("delete_review_comment", comment_id=comment.id, confirm=True)
    assert asked.result() == again == {
        "deleted": True, "comment_id": comment.id, "existed": False
    }  # fmt: skip


async def test_a_deleted_comment_is_no_more(here: World) -> None:
    """The answer says that it was there."""
    comment = here.pull.add_review_comment("a", here.me, path="notes.md", line=2)
    answer = await here.call("delete_review_comment", comment_id=comment.id, confirm=True)
    assert answer["existed"] is True
    assert not here.pull.review_comments
    assert not here.github.requests.matching("GET", COMMENTS)
