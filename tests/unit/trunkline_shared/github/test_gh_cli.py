"""The token that gh has, when there is a gh."""

import stat
from pathlib import Path

import anyio
import pytest

from trunkline_shared.github.tokens.gh_cli import GhCli

pytestmark = pytest.mark.anyio


def command(folder: Path, script: str) -> str:
    file = folder / "gh"
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


async def test_gh_is_asked_for_the_host(tmp_path: Path) -> None:
    """`gh auth token --hostname HOST`, without blanks around the answer."""
    gh = GhCli(host="ghes.example", command=command(tmp_path, 'echo "  $* "'))
    assert await gh.token() == "auth token --hostname ghes.example"


@pytest.mark.parametrize("script", ["exit 1", "true", "echo token; exit 4"])
async def test_a_gh_that_is_not_signed_in_has_no_token(tmp_path: Path, script: str) -> None:
    """Its complaint is not a token."""
    assert await GhCli(host="github.com", command=command(tmp_path, script)).token() is None


async def test_without_gh_there_is_no_token(tmp_path: Path) -> None:
    """Nothing is started."""
    assert await GhCli(host="github.com", command=str(tmp_path / "absent")).token() is None


async def test_a_gh_that_hangs_is_ended(tmp_path: Path) -> None:
    """It is given its time and no more."""
    gh = GhCli(host="github.com", command=command(tmp_path, "exec sleep 60"), timeout_s=0.1)
    with anyio.fail_after(5):
        assert await gh.token() is None
