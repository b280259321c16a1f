"""Which checkout branch-context is given, and what is said of one that it cannot serve."""

import sys
from pathlib import Path

import pytest

from trunkline_cli.containers.served_checkout import checkout_around, complaint_about

pytestmark = pytest.mark.requirement("shipping.up-checkout")


def test_a_folder_of_a_checkout_means_all_of_it(tmp_path: Path) -> None:
    """Its git directory is at the top."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    inside = tmp_path / "repo" / "docs"
    inside.mkdir()
    assert checkout_around(inside) == tmp_path / "repo"
    assert not complaint_about(tmp_path / "repo")


def test_a_worktree_is_complained_of_before_anybody_asks_it(tmp_path: Path) -> None:
    """Its git directory is outside of what the container sees."""
    (tmp_path / ".git").write_text("gitdir: /elsewhere/.git/worktrees/x\n", encoding="utf-8")
    assert checkout_around(tmp_path) == tmp_path
    assert "linked worktree" in complaint_about(tmp_path)
    assert "TRUNKLINE_REPO_PATH" in complaint_about(tmp_path)


def test_a_folder_that_is_no_checkout_stays_and_is_complained_of(tmp_path: Path) -> None:
    """The other servers need none."""
    assert checkout_around(tmp_path) == tmp_path
    assert "is no git checkout" in complaint_about(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the engine maps users")
@pytest.mark.parametrize("closed", [".", ".git", ".git/HEAD"])
def test_a_checkout_that_the_container_may_not_read_is_complained_of(
    tmp_path: Path, closed: str
) -> None:
    """Whoever works under umask 077 has one: git in the container would only say that it failed."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    for each, mode in ((".", 0o755), (".git", 0o755), (".git/HEAD", 0o644)):
        (tmp_path / each).chmod(mode & 0o700 if each == closed else mode)
    assert f"chmod -R o+rX {tmp_path}" in complaint_about(tmp_path)
    (tmp_path / closed).chmod(0o755)
    assert not complaint_about(tmp_path)
