"""The stand-in's review comments: taken on lines that the diff shows, else refused."""

import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import ChangedFile, Demo

pytestmark = pytest.mark.anyio

PULL = "/repos/acme/widgets/pulls/2"
COMMENTS = f"{PULL}/comments"
OLD = "".join(f"line {n}\n" for n in range(1, 41))
NEW = OLD.replace("line 5\n", "line five\n").replace("line 30\n", "")
FILE = ChangedFile(path="a.py", before=OLD, after=NEW)
BINARY = ChangedFile(path="logo.png", before="", after="x", binary=True)


async def head(writer: Caller, demo: Demo) -> str:
    """Give the pull request its files; return its head."""
    demo.pull.review_comments.clear()
    demo.repository.push(demo.pull, FILE, BINARY)
    sha: str = (await writer.ask("GET", PULL)).json["head"]["sha"]
    return sha


async def test_a_comment_is_placed_where_it_was_sent(writer: Caller, demo: Demo) -> None:
    """Line, side, range and the part of the diff above it are answered."""
    sha = await head(writer, demo)
    body = {"body": "Why?", "commit_id": sha, "path": "a.py", "line": 6, "side": "RIGHT"}
    start = {"start_line": 5, "start_side": "LEFT"}
    reply = await writer.ask("POST", COMMENTS, json=body | start)
    assert reply.status == 201
    assert reply.json["diff_hunk"].endswith("-line 5\n+line five\n line 6")
    shown = {key: reply.json[key] for key in ("line", "side", "start_line", "start_side")}
    assert shown == {"line": 6, "side": "RIGHT", "start_line": 5, "start_side": "LEFT"}
    assert reply.json["pull_request_review_id"] is not None


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ({"line": 15}, "pull_request_review_thread.line must be part of the diff"),
        (
            {"line": 29, "start_line": 5},
            "pull_request_review_thread.start_line must be part of the same hunk as the line.",
        ),
        (
            {"line": 6, "start_line": 6},
            "pull_request_review_thread.start_line must precede the end line.",
        ),
    ],
)
async def test_a_place_outside_the_diff_is_refused(
    writer: Caller, demo: Demo, place: dict[str, int], said: str
) -> None:
    """422 names the field of the thread."""
    body = {"body": "Why?", "commit_id": await head(writer, demo), "path": "a.py", **place}
    reply = await writer.ask("POST", COMMENTS, json=body)
    assert reply.status == 422
    assert reply.json["errors"][0]["message"] == said


async def test_an_unknown_path_or_commit_is_refused(writer: Caller, demo: Demo) -> None:
    """Neither is guessed."""
    body = {"body": "Why?", "commit_id": await head(writer, demo), "path": "a.py", "line": 5}
    unknown = await writer.ask("POST", COMMENTS, json=body | {"path": "b.py"})
    foreign = await writer.ask("POST", COMMENTS, json=body | {"commit_id": "f" * 40})
    assert [one.json["errors"][0]["field"] for one in (unknown, foreign)] == [
        "pull_request_review_thread.path",
        "commit_id",
    ]


async def test_a_file_without_a_patch_takes_file_comments_only(writer: Caller, demo: Demo) -> None:
    """`subject_type: file` needs no line."""
    body = {"body": "Big.", "commit_id": await head(writer, demo), "path": "logo.png"}
    assert (await writer.ask("POST", COMMENTS, json=body | {"line": 1})).status == 422
    reply = await writer.ask("POST", COMMENTS, json=body | {"subject_type": "file"})
    assert (reply.status, reply.json["line"], reply.json["original_line"]) == (201, None, None)


async def test_a_pending_review_of_ones_own_stands_in_the_way(writer: Caller, demo: Demo) -> None:
    """One pending review per user and pull request."""
    body = {"body": "Why?", "commit_id": await head(writer, demo), "path": "a.py", "line": 5}
    await writer.ask("POST", f"{PULL}/reviews", json={})
    reply = await writer.ask("POST", COMMENTS, json=body)
    assert reply.status == 422
    assert "one pending review" in reply.json["errors"][0]["message"]


async def test_a_comment_on_an_earlier_commit_is_outdated_at_once(
    writer: Caller, demo: Demo
) -> None:
    """It is checked against the diff of its commit, and has no line when the new one hides it."""
    earlier = await head(writer, demo)
    demo.repository.push(demo.pull, BINARY)
    body = {"body": "Why?", "commit_id": earlier, "path": "a.py", "line": 5}
    reply = await writer.ask("POST", COMMENTS, json=body)
    assert (reply.json["line"], reply.json["original_line"]) == (None, 5)
    assert reply.json["commit_id"] == earlier


async def test_the_list_is_sorted_as_asked(writer: Caller, demo: Demo) -> None:
    """The direction counts only together with `sort`; pending comments are not listed."""
    sha = await head(writer, demo)
    for text in ("one", "two"):
        body = {"body": text, "commit_id": sha, "path": "a.py", "line": 5}
        await writer.ask("POST", COMMENTS, json=body)
    comments = [{"path": "a.py", "line": 5, "body": "draft"}]
    await writer.ask("POST", f"{PULL}/reviews", json={"comments": comments})
    for query, bodies in (
        ("direction=desc", ["one", "two"]),
        ("sort=created&direction=desc", ["two", "one"]),
        ("sort=updated", ["one", "two"]),
        ("since=2999-01-01T00:00:00Z", []),
    ):
        listed = (await writer.ask("GET", f"{COMMENTS}?{query}")).json
        assert [one["body"] for one in listed] == bodies, query
