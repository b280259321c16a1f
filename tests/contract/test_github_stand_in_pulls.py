"""Pull requests of the stand-in: files, diffs, pushes; its answers fit GitHub's OpenAPI."""

from pathlib import Path

import anyio
import pytest

from tests.contract.caller import Caller
from trunkline_shared.testing.github import ChangedFile, Demo

pytestmark = pytest.mark.anyio

PULL = "/repos/acme/widgets/pulls/2"
FILES = (
    ChangedFile(path="a.py", before="one\ntwo\n", after="one\n2\n"),
    ChangedFile(path="new.txt", after="hello"),
    ChangedFile(path="gone.txt", before="bye\n"),
    ChangedFile(path="after.py", previous_path="before.py", before="x\ny\n", after="x\nz\n"),
    ChangedFile(path="logo.png", before="", after="", binary=True),
)
DIFF = {"Accept": "application/vnd.github.diff"}


async def test_files_have_the_patches_that_git_would_show(writer: Caller, demo: Demo) -> None:
    """Each status has its fields; a binary file has no patch."""
    demo.repository.push(demo.pull, *FILES)
    listed = {one["filename"]: one for one in (await writer.ask("GET", f"{PULL}/files")).json}
    assert listed["a.py"]["patch"] == "@@ -1,2 +1,2 @@\n one\n-two\n+2"
    assert listed["new.txt"]["patch"] == "@@ -0,0 +1 @@\n+hello\n\\ No newline at end of file"
    assert listed["gone.txt"]["status"] == "removed"
    assert listed["after.py"]["previous_filename"] == "before.py"
    assert "patch" not in listed["logo.png"]


async def test_the_diff_is_one_that_git_applies(writer: Caller, demo: Demo, tmp_path: Path) -> None:
    """What the stand-in calls a diff turns the files before into the files after."""
    demo.repository.push(demo.pull, *(one for one in FILES if not one.binary))
    for one in FILES:
        if one.before is not None and not one.binary:
            (tmp_path / (one.previous_path or one.path)).write_text(one.before, encoding="utf-8")
    reply = await writer.ask("GET", PULL, **DIFF)
    assert reply.headers["content-type"].startswith("application/vnd.github.diff")
    (tmp_path / "of.diff").write_text(reply.text, encoding="utf-8")
    for command in (["git", "init", "-q"], ["git", "apply", "of.diff"]):
        await anyio.run_process(command, cwd=tmp_path)
    for one in FILES:
        if not one.binary:
            path = tmp_path / one.path
            assert (path.read_text(encoding="utf-8") if path.exists() else None) == one.after


async def test_a_diff_of_too_many_files_is_refused(writer: Caller, demo: Demo) -> None:
    """GitHub answers 406 with `too_large` beyond 300 files; the list of files still works."""
    many = [ChangedFile(path=f"{n}.txt", after="x\n") for n in range(301)]
    demo.repository.push(demo.pull, *many)
    reply = await writer.ask("GET", PULL, **DIFF)
    assert (reply.status, reply.json["errors"][0]["code"]) == (406, "too_large")
    assert len((await writer.ask("GET", f"{PULL}/files?per_page=100&page=4")).json) == 1


async def test_a_push_moves_the_head_and_makes_comments_outdated(
    writer: Caller, demo: Demo
) -> None:
    """A comment on a line that is no longer shown has no line any more."""
    demo.repository.push(demo.pull, *FILES)
    comment = demo.pull.add_review_comment("Why?", None, path="a.py", line=2)
    before = (await writer.ask("GET", PULL)).json["head"]["sha"]
    after = demo.repository.push(demo.pull, *FILES[1:], forced=True)
    assert (await writer.ask("GET", PULL)).json["head"]["sha"] == after != before
    assert comment.line is None
