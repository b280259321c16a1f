"""The names in a diff's headers, against git's own."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_issues.diffs import read
from trunkline_issues.diff_files import Wanted
from trunkline_issues.diff_names import named, quoted

NAMES = [
    "plain.py",
    "with space.py",
    "\u00e9t\u00e9.py",
    'a"b.py',
    "back\\slash.py",
    "tab\there.py",
    "line\nfeed.py",
    "a b/ b/c.py",
    "\u202ereversed.py",
    "trailing ",
    "-dash",
    "\U0001f600.py",
]


def git(where: Path, *arguments: str) -> bytes:
    run = subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
        cwd=where,
        capture_output=True,
        check=True,
        timeout=20,
        env={"PATH": os.defpath, "HOME": str(where), "GIT_CONFIG_NOSYSTEM": "1"},
    )
    return run.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a file of each name."""
    git(tmp_path, "init", "-q")
    for name in NAMES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name!r}\n" * 9, encoding="utf-8")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def status(where: Path) -> dict[str, str]:
    """Return what our reading says that the staged diff does to each file."""
    git(where, "add", "-A")
    diff = git(where, "diff", "--cached", "-M")
    found = read(diff, Wanted(max_size=1_000_000))
    assert found.page.text().encode() == diff
    return {one.path: one.status for one in found.entries}


def test_every_name_that_git_writes_is_read_back(repository: Path) -> None:
    """Edited, removed, renamed, made executable, emptied, binary."""
    for name in NAMES:
        (repository / name).write_text("changed\n", encoding="utf-8")
    assert status(repository) == dict.fromkeys(sorted(NAMES), "modified") | dict.fromkeys(
        NAMES, "modified"
    )
    for name in NAMES:
        (repository / name).unlink()
    assert status(repository) == dict.fromkeys(NAMES, "removed")


def test_headers_without_lines_name_their_files(repository: Path) -> None:
    """Modes, binary files and mere renamings have no `---` line to read the name from."""
    for name in NAMES:
        (repository / name).chmod(0o755)
    assert status(repository) == dict.fromkeys(NAMES, "modified")
    git(repository, "commit", "-qm", "modes")
    for name in NAMES:
        (repository / name).write_bytes(b"\0\1")
    assert status(repository) == dict.fromkeys(NAMES, "modified")
    git(repository, "commit", "-qm", "binary")
    git(repository, "mv", "with space.py", "moved \u00e9.py")
    assert status(repository) == {"moved \u00e9.py": "renamed"}


@given(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1, max_size=30))
def test_a_name_survives_being_quoted(name: str) -> None:
    """In a header that has it alone, and in one with both sides."""
    for header in (
        [f"diff --git {quoted(f'a/{name}')} {quoted(f'b/{name}')}\n".encode()],
        [b"diff --git a/x b/x\n", f"+++ {quoted(f'b/{name}')}\n".encode()],
    ):
        assert named(header).path == name


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_quoted_as_git_quotes_it(repository: Path, name: str) -> None:
    """So that a rebuilt diff is what git would have written."""
    (repository / name).write_text("changed\n", encoding="utf-8")
    diff = git(repository, "diff")
    old, new = quoted(f"a/{name}"), quoted(f"b/{name}")
    assert diff.startswith(f"diff --git {old} {new}\n".encode())
