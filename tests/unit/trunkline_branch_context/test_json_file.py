"""JSON files of others: read again when half-written, kept while their stamp stands."""

import os
from pathlib import Path

import pytest

from trunkline_branch_context.json_file import JsonFiles, stamp_of
from trunkline_shared.errors import NoTwigState
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

NOW = 1_700_000_000.0


class Parsed:
    """Counts how often a file was parsed."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, content: object) -> object:
        self.times += 1
        return content


def written(path: Path, text: str, age_s: float) -> Path:
    """Write a file that was last changed `age_s` before the fake clock's time."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (NOW - age_s, NOW - age_s))
    return path


async def test_a_settled_file_is_parsed_once(tmp_path: Path) -> None:
    """The same inode, time and size: the value is reused."""
    parsed = Parsed()
    files = JsonFiles(parsed, "state", FakeClock(NOW))
    path = written(tmp_path / "s.json", "[1]", 10)
    assert [await files.read(path), await files.read(path)] == [[1], [1]]
    assert parsed.times == 1


async def test_a_file_changed_just_now_is_parsed_again(tmp_path: Path) -> None:
    """A write within the same tick leaves the stamp as it was, so a fresh file is not trusted."""
    parsed = Parsed()
    files = JsonFiles(parsed, "state", FakeClock(NOW))
    path = written(tmp_path / "s.json", "[1]", 0.01)
    assert await files.read(path) == [1]
    written(path, "[2]", 0.01)
    assert await files.read(path) == [2]
    assert parsed.times == 2


@pytest.mark.parametrize("change", ["text", "inode", "gone"])
async def test_any_change_of_the_stamp_is_seen(tmp_path: Path, change: str) -> None:
    """Size, inode, or the file is gone."""
    files = JsonFiles(Parsed(), "state", FakeClock(NOW))
    path = written(tmp_path / "s.json", "[1]", 10)
    await files.read(path)
    before = stamp_of(path)
    if change == "gone":
        path.unlink()
        assert await files.read(path) is None
        return
    if change == "inode":
        written(tmp_path / "new.json", "[3]", 10).rename(path)
    else:
        written(path, "[1, 2]", 10)
    assert stamp_of(path) != before
    assert await files.read(path) == ([3] if change == "inode" else [1, 2])


@pytest.mark.parametrize("text", ["", "{", '{"a":', '{"a": "b', "[1,]", "\x00", '{"a": 1}}'])
async def test_what_stays_half_written_is_tried_three_times(tmp_path: Path, text: str) -> None:
    """Twice more at 20 ms, then the position."""
    clock = FakeClock(NOW)
    files = JsonFiles(Parsed(), "the state", clock)
    with pytest.raises(NoTwigState) as caught:
        await files.read(written(tmp_path / "s.json", text, 10))
    assert clock.slept == [0.02, 0.02]
    assert caught.value.details["reason"] == "invalid_json"
    assert "line 1, column" in caught.value.message


async def test_a_pipe_in_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    """A named pipe without a writer would block for ever."""
    os.mkfifo(tmp_path / "s.json")
    with pytest.raises(NoTwigState) as caught:
        await JsonFiles(Parsed(), "state", FakeClock(NOW)).read(tmp_path / "s.json")
    assert caught.value.details["reason"] == "not_a_file"


async def test_a_loop_of_links_is_unreadable(tmp_path: Path) -> None:
    """What cannot be opened is an error, not a missing file; its path is not told."""
    (tmp_path / "s.json").symlink_to("s.json")
    with pytest.raises(NoTwigState) as caught:
        await JsonFiles(Parsed(), "state", FakeClock(NOW)).read(tmp_path / "s.json")
    assert caught.value.details["reason"] == "unreadable"
