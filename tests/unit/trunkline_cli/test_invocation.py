"""The command that our output names is one that the reader's shell can run."""

from pathlib import Path

import pytest

from trunkline_cli.invocation import invocation


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a `trunkline` in a folder of its own, which is not on the PATH."""
    program = tmp_path / "bin" / "trunkline"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", "/usr/bin")
    return program


def test_a_command_on_the_path_is_called_by_its_name(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the shell finds needs no path."""
    monkeypatch.setenv("PATH", str(program.parent))
    assert invocation(str(program)) == "trunkline"


def test_another_command_of_that_name_is_not_taken_for_it(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shell would find somebody else's."""
    other = tmp_path / "other" / "trunkline"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert invocation(str(program)) == str(program)


def test_below_the_current_directory_the_path_is_short(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the README has it."""
    monkeypatch.chdir(tmp_path)
    assert invocation(str(program)) == "bin/trunkline"


def test_a_path_with_blanks_is_quoted(program: Path, tmp_path: Path) -> None:
    """A shell reads it as one word."""
    moved = tmp_path / "some where" / "trunkline"
    moved.parent.mkdir()
    program.rename(moved)
    assert invocation(str(moved)) == f"'{moved}'"


def test_a_module_is_called_as_one(tmp_path: Path) -> None:
    """`python -m trunkline_cli` is called that way again."""
    assert invocation(str(tmp_path / "__main__.py")).endswith(" -m trunkline_cli")
