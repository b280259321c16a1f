"""A secret is what its variable or file holds now."""

import os
from pathlib import Path

import pytest

from trunkline_shared.live_secret import LiveSecret


@pytest.mark.parametrize(
    ("env", "value"),
    [
        ({"A": "one"}, "one"),
        ({"A": " one \n"}, "one"),
        ({"B": "two"}, "two"),
        ({"A": "one", "B": "two"}, "one"),
        ({"A": "", "B": "two"}, "two"),
        ({"A": "   ", "B": "two"}, "two"),
        ({"C": "three"}, None),
        ({}, None),
    ],
)
def test_the_first_variable_with_a_value_counts(env: dict[str, str], value: str | None) -> None:
    """Empty and blank ones count as unset."""
    assert LiveSecret("A", "B", env=env).get() == value


def test_a_variable_counts_before_its_file(tmp_path: Path) -> None:
    """And a file of the first variable before the second variable."""
    file = tmp_path / "secret"
    file.write_text("from file\n", encoding="utf-8")
    assert LiveSecret("A", "B", env={"A": "x", "A_FILE": str(file)}).get() == "x"
    assert LiveSecret("A", "B", env={"B": "y", "A_FILE": str(file)}).get() == "from file"


def test_a_replaced_file_is_read_again(tmp_path: Path) -> None:
    """By its stamp: a rotation needs no restart."""
    file = tmp_path / "secret"
    file.write_text("old", encoding="utf-8")
    secret = LiveSecret("A", env={"A_FILE": str(file)})
    assert secret.get() == "old"
    fresh = tmp_path / "fresh"
    fresh.write_text("new", encoding="utf-8")
    fresh.replace(file)
    assert secret.get() == "new"


def test_an_unchanged_file_is_not_read_again(tmp_path: Path) -> None:
    """Its stamp is enough: the same size and time mean the same secret."""
    file = tmp_path / "secret"
    file.write_text("old", encoding="utf-8")
    secret = LiveSecret("A", env={"A_FILE": str(file)})
    assert secret.get() == "old"
    stamp = file.stat()
    file.write_text("new", encoding="utf-8")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert secret.get() == "old"


def test_a_missing_file_is_no_secret_until_it_is_there(tmp_path: Path) -> None:
    """A secret may be mounted late, or be taken away."""
    file = tmp_path / "secret"
    secret = LiveSecret("A", env={"A_FILE": str(file)})
    assert secret.get() is None
    file.write_text("here", encoding="utf-8")
    assert secret.get() == "here"
    file.unlink()
    assert secret.get() is None


def test_without_a_mapping_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time anew."""
    secret = LiveSecret("TRUNKLINE_TEST_SECRET")
    assert secret.get() is None
    monkeypatch.setenv("TRUNKLINE_TEST_SECRET", "x")
    assert secret.get() == "x"
