"""Reading diffs through the server: whole, in pages, by paths, and when GitHub refuses."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.pull_reading import FILES, ONE, Pulling, edited, numstat, pulling
from trunkline_shared.testing.github import (
    AnswerWith,
    ChangedFile,
    GitHubStandIn,
    TruncatedBody,
    bad_gateway,
)
from trunkline_shared.testing.github.faults import Fault

pytestmark = pytest.mark.anyio

BINARY = ChangedFile(path="logo.png", before="a", after="b", binary=True)
HUGE = ChangedFile(path="huge.json", before="a\n", after="b\n", too_large=True)
UNAVAILABLE = {
    "message": "Sorry, this diff is taking too long to generate.",
    "errors": [{"resource": "PullRequest", "field": "diff", "code": "not_available"}],
    "documentation_url": "https://docs.github.com/rest",
}
MOVED = ChangedFile(path="new name.py", previous_path="old.py", before="same\n", after="same\n")


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pulling]:
    """The usual world."""
    async with pulling(github, monkeypatch) as made:
        yield made


async def test_a_small_diff_is_returned_whole(here: Pulling) -> None:
    """As GitHub makes it, byte for byte, with the two commits that it lies between."""
    found = await here.diff()
    assert found["diff"] == "".join(one.diff() for one in here.pull.files)
    assert found == IsPartialDict(
        truncated=False,
        warning=None,
        next_offset=None,
        source="diff",
        base_sha=here.pull.base_sha,
        head_sha=here.pull.head_sha,
        head_moved=False,
        original_size_bytes=len(found["diff"].encode()),
    )
    assert found["files"] == [
        IsPartialDict(path=path, status="modified", additions=4, deletions=4, included=True)
        for path in ("src/a.py", "src/b.py")
    ]


@pytest.mark.requirement("pull.diff-cut")
async def test_a_long_diff_is_cut_and_says_so_in_the_seeds_words(here: Pulling) -> None:
    """The limit counts bytes; what does not fit is named, and where it begins."""
    here.pull.files = [edited(f"src/{n}.py", 200) for n in range(40)]
    found = await here.diff(max_size=10_240)
    assert found["truncated"] is True
    assert found["warning"] == "Diff truncated at 10KB"
    assert len(found["diff"].encode()) <= 10_240
    assert found["original_size_bytes"] == sum(len(one.diff()) for one in here.pull.files)
    included = [one["path"] for one in found["files"] if one["included"]]
    assert list(numstat(found["diff"])) == included
    assert 0 < len(included) < len(found["files"]) == 40


@pytest.mark.requirement("pull.diff-cut")
async def test_the_pages_together_are_the_whole_diff(here: Pulling) -> None:
    """Every page is a patch that git reads; their counts add up to the pull request's."""
    here.pull.files = [edited(f"src/{n}.py", 300, 7) for n in range(5)]
    pages = await here.pages(max_size=2_000)
    counted: dict[str, list[int]] = {}
    for page in pages:
        for path, (added, removed) in numstat(page["diff"]).items():
            total = counted.setdefault(path, [0, 0])
            total[0] += added
            total[1] += removed
    assert counted == {one.path: [one.additions, one.deletions] for one in here.pull.files}
    assert len(pages) > 5
    assert pages[-1]["truncated"] is False


async def test_paths_select_files_and_folders(here: Pulling) -> None:
    """By the present name, the name before, or the folder that it is in."""
    here.pull.files = [edited("src/a.py"), edited("src/deep/b.py"), edited("srcs/c.py"), MOVED]
    for paths, wanted in (
        (["src"], ["src/a.py", "src/deep/b.py"]),
        (["src/deep/"], ["src/deep/b.py"]),
        (["old.py"], ["new name.py"]),
        (["new name.py", "src/a.py"], ["src/a.py", "new name.py"]),
    ):
        found = await here.diff(paths=paths)
        assert [one["path"] for one in found["files"]] == wanted
    nothing = await here.diff(paths=["nowhere.py"])
    assert nothing["files"] == []
    assert "no file" in nothing["warning"].lower()


async def test_stat_and_files_leave_the_lines_out(here: Pulling) -> None:
    """For an agent that first wants to know how much there is."""
    table = await here.diff(format="stat")
    assert " src/a.py | 8 ++++----\n" in table["diff"]
    assert " 2 files changed, 8 insertions(+), 8 deletions(-)\n" in table["diff"]
    only = await here.diff(format="files")
    assert only["diff"] == ""
    assert [one["included"] for one in only["files"]] == [False, False]
    assert only["truncated"] is False


@pytest.mark.requirement("pull.diff-offset")
@pytest.mark.parametrize("offset", [1, 500, 10_000_000])
async def test_an_offset_at_which_no_page_begins_is_refused(here: Pulling, offset: int) -> None:
    """It would show half of something; the head is named, since it may have moved."""
    error = await here.refused("github_get_pr_diff", pr_number=2, offset=offset)
    assert error["error_code"] == "INVALID_INPUT"
    assert error["details"]["head_sha"] == here.pull.head_sha
    assert error["details"]["field_errors"][0]["field"] == "offset"


@pytest.mark.requirement("pull.diff-moved")
async def test_a_push_while_the_diff_is_read_is_told(here: Pulling) -> None:
    """The diff may be of either head, so that the agent must begin again."""
    here.pull.files = [edited(f"{n}.py", 10) for n in range(301)]
    before = here.pull.head_sha
    gate = here.github.faults.hold("GET", FILES)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(here.diff())
        await gate.reached()
        here.repository.push(here.change, edited("other.py"))
        gate.release()
    found = asked.result()
    assert found["head_moved"] is True
    assert found["head_sha"] == here.pull.head_sha != before
    assert "begin again" in found["warning"]


@pytest.mark.requirement("pull.diff-refused")
async def test_a_diff_of_301_files_is_rebuilt_from_the_list_of_files(here: Pulling) -> None:
    """GitHub answers 406; every file is there all the same, as git would show it."""
    here.pull.files = [edited(f"src/{n}.py", 20) for n in range(301)]
    found = await here.diff(max_size=1_000_000)
    assert found["source"] == "files"
    assert found["diff"] == "".join(one.diff() for one in here.pull.files)
    assert found["truncated"] is False
    assert len(numstat(found["diff"])) == 301
    assert here.sent("GET", "*/pulls/2/files") == 4


@pytest.mark.requirement("pull.diff-refused")
@pytest.mark.parametrize(
    ("fault", "asked"),
    [
        (AnswerWith(status=422, body=UNAVAILABLE), 1),
        (AnswerWith(status=500, body=UNAVAILABLE), 2),
        (bad_gateway(), 2),
        (bad_gateway(504), 1),
        (TruncatedBody(), 2),
    ],
    ids=["422", "500", "502", "504", "broken off"],
)
async def test_a_diff_that_github_fails_to_make_is_asked_for_once_more_at_most(
    here: Pulling, fault: Fault, asked: int
) -> None:
    """It may last until the head moves, even for a tiny one: then the files serve."""
    here.github.faults.add(fault, "GET", ONE, times=asked, skip=1)
    found = await here.diff()
    assert found["source"] == "files"
    assert found["diff"] == "".join(one.diff() for one in here.pull.files)
    diffs = [one for one in here.github.requests if "diff" in one.headers["accept"]]
    assert len(diffs) == asked


@pytest.mark.requirement("pull.diff-refused")
async def test_a_diff_that_comes_at_the_second_time_is_taken(here: Pulling) -> None:
    """What had come before it broke off is not in it twice."""
    here.github.faults.add(TruncatedBody(), "GET", ONE, skip=1)
    found = await here.diff()
    assert found["source"] == "diff"
    assert found["diff"] == "".join(one.diff() for one in here.pull.files)
    assert here.clock.slept == [1.0]


@pytest.mark.requirement("pull.diff-missing")
async def test_files_without_a_patch_are_named_and_not_included(here: Pulling) -> None:
    """Binary and very large ones; a mere renaming has no lines and is whole."""
    here.pull.files = [edited(f"{n}.py", 10) for n in range(300)] + [BINARY, HUGE, MOVED]
    found = await here.diff(max_size=1_000_000)
    by_path = {one["path"]: one for one in found["files"]}
    assert by_path["logo.png"] == IsPartialDict(included=False, status="modified")
    assert by_path["huge.json"] == IsPartialDict(included=False, additions=1, deletions=1)
    assert by_path["new name.py"] == IsPartialDict(
        included=True, status="renamed", previous_path="old.py"
    )
    assert "2 files" in found["warning"]
    assert "rename from old.py\nrename to new name.py\n" in found["diff"]
    assert len(numstat(found["diff"])) == 301


@pytest.mark.requirement("pull.diff-missing")
async def test_the_end_of_githubs_list_of_files_is_told(here: Pulling) -> None:
    """It ends at 3,000, which must not look like the end of the changes."""
    here.pull.files = [ChangedFile(path=f"{n}.txt", after="x\n") for n in range(3_002)]
    found = await here.diff(format="files")
    assert len(found["files"]) == 3_000
    assert "3000 of the 3002 files" in found["warning"]


async def test_characters_that_cannot_be_seen_are_shown_and_counted(here: Pulling) -> None:
    """Stripping them would hide an attack; offsets go on counting what GitHub sends."""
    hidden = ChangedFile(path="a.py", before="", after="admin = '\u202euser'\n" * 200)
    here.pull.files = [hidden]
    pages = await here.pages(max_size=1_024)
    shown = "".join(page["diff"] for page in pages)
    assert "\u202e" not in shown
    assert shown.count("\\u{202E}") == 200 == sum(page["hidden_characters"] for page in pages)
    assert all(len(page["diff"].encode()) <= 1_024 for page in pages)
    assert pages[0]["original_size_bytes"] == len(hidden.diff().encode())


@pytest.mark.requirement("pull.diff-cut")
async def test_a_line_longer_than_a_page_is_shortened_and_told(here: Pulling) -> None:
    """Paging goes on behind it, instead of standing still for ever."""
    here.pull.files = [ChangedFile(path="min.js", before="", after="x" * 5_000 + "\nend\n")]
    pages = await here.pages(max_size=1_024)
    assert [page["shortened_lines"] for page in pages] == [1, 0]
    assert "shortened" in pages[0]["warning"]
    assert pages[-1]["diff"].endswith("+end\n")


async def test_a_name_that_cannot_be_seen_is_found_as_it_is_shown(here: Pulling) -> None:
    """An agent hands back what `files` says."""
    here.pull.files = [edited("src/a\u200b.py"), edited("src/b.py")]
    shown = (await here.diff())["files"][0]["path"]
    assert shown == "src/a\\u{200B}.py"
    found = await here.diff(paths=[shown])
    assert [one["path"] for one in found["files"]] == [shown]


async def test_a_binary_file_in_a_diff_has_no_lines_to_include(here: Pulling) -> None:
    """As in the list of files."""
    here.pull.files = [BINARY, MOVED]
    found = await here.diff()
    assert [one["included"] for one in found["files"]] == [False, True]
    assert "1 files" in found["warning"]
    assert found["source"] == "diff"


async def test_a_renamed_repository_is_followed(here: Pulling) -> None:
    """The old name leads to the diff all the same."""
    here.github.state.rename(here.repository, "gadgets")
    assert (await here.diff())["source"] == "diff"
