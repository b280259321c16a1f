"""Logins from netrc, and files that cannot be used."""

from pathlib import Path

import pytest

from trunkline_shared.errors import AuthError
from trunkline_shared.vendor.netrc_file import Login, login

HOSTS = ("api.github.com", "github.com")


def password(file: Path, hosts: tuple[str, ...]) -> str | None:
    found = login(file, hosts, "GITHUB_TOKEN")
    return found.password if found else None


def written(folder: Path, text: str) -> Path:
    file = folder / "netrc"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("machine api.github.com login me password a\n", "a"),
        ("machine github.com login me password b\n", "b"),
        ("machine github.com password b\nmachine api.github.com password a\n", "a"),
        ("machine other.example password c\ndefault login x password d\n", "d"),
        ('machine github.com login "my name" password "quo ted"\n', "quo ted"),
        ("machine github.com\n  login me\n  # a note\n  password b\n", "b"),
        ("machine other.example password c\n", None),
        ("", None),
    ],
)
def test_the_hosts_entry_is_found_and_then_the_default(
    tmp_path: Path, text: str, found: str | None
) -> None:
    """API host, web host, `default`; quotes and comments as netrc has them."""
    assert password(written(tmp_path, text), HOSTS) == found


def test_no_file_is_no_token(tmp_path: Path) -> None:
    """Most machines have none."""
    assert password(tmp_path / "absent", HOSTS) is None


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    """AUTH_ERROR instead of a crash, and without the file's text."""
    file = written(tmp_path, "machine github.com password hunter2\nmaschine x\n")
    with pytest.raises(AuthError, match="line 2") as caught:
        password(file, HOSTS)
    assert "hunter2" not in caught.value.message
    assert str(tmp_path) not in caught.value.message


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Nor does a binary file crash anything."""
    file = tmp_path / "netrc"
    file.write_bytes(b"\xff\xfe\x00machine")
    with pytest.raises(AuthError, match="not usable"):
        password(file, HOSTS)


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    """The system's reason is told."""
    with pytest.raises(AuthError, match="cannot be read"):
        password(tmp_path, HOSTS)


def test_the_login_comes_with_its_user_and_hides_its_password(tmp_path: Path) -> None:
    """Basic authentication needs both, and no log may show the second."""
    file = written(tmp_path, "machine github.com login me password hunter2\n")
    found = login(file, HOSTS, "GITHUB_TOKEN")
    assert found == Login(user="me", password="hunter2")
    assert "hunter2" not in repr(found)
