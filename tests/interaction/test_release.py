"""A version is made in a clone as an operator makes it, images left out."""

from pathlib import Path

import pytest

from release import lock, versions
from tests.interaction.releasing import change, clone_at, release
from trunkline_shared.testing.git_repository import GitRepository

WITHOUT_IMAGES = "--no-images"


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    """What a version is made of, with an entry in the changelog."""
    return clone_at(tmp_path)


def refused(repository: GitRepository, *words: str) -> str:
    done = release(repository, *words, WITHOUT_IMAGES)
    assert done.returncode == 1, done.stdout
    return done.stderr


@pytest.mark.requirement("shipping.release-one-version")
def test_a_version_is_committed_and_tagged(clone: GitRepository) -> None:
    """Everywhere the same, with the changelog's part as the tag's message, and nothing pushed."""
    done = release(clone, "7.0.0", WITHOUT_IMAGES)
    assert done.returncode == 0, done.stderr
    assert set(versions.stated(clone.path).values()) == {"7.0.0"}
    assert set(lock.stated(clone.path).values()) == {"7.0.0"}
    assert clone.git("status", "--porcelain") == ""
    assert clone.git("log", "-1", "--format=%s %D") == "Release 7.0.0 HEAD -> main, tag: v7.0.0"
    assert "- The clock." in clone.git("tag", "--list", "--format=%(contents)", "v7.0.0")
    assert (clone.path / "dist" / "notes-7.0.0.md").read_text("utf-8") == "- The clock.\n"
    assert "git push origin HEAD v7.0.0" in done.stdout


@pytest.mark.requirement("shipping.release-one-version")
def test_the_lock_keeps_every_other_version(clone: GitRepository) -> None:
    """A version is no occasion to take other packages."""
    before = (clone.path / "uv.lock").read_text("utf-8").splitlines()
    release(clone, "7.0.0", WITHOUT_IMAGES)
    after = (clone.path / "uv.lock").read_text("utf-8").splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['version = "7.0.0"'] * len(versions.manifests(clone.path))


@pytest.mark.requirement("shipping.release-resumed")
def test_the_same_command_goes_on_after_a_failure(clone: GitRepository) -> None:
    """A version that is committed is not committed again, and only its tag was missing."""
    release(clone, "7.0.0", WITHOUT_IMAGES)
    clone.git("tag", "--delete", "v7.0.0")
    commits = clone.git("rev-list", "--count", "HEAD")
    done = release(clone, "7.0.0", WITHOUT_IMAGES)
    assert "going on with 7.0.0" in done.stdout
    assert clone.git("rev-list", "--count", "HEAD") == commits
    assert clone.git("tag", "--points-at", "HEAD") == "v7.0.0"


@pytest.mark.requirement("shipping.release-resumed")
def test_a_commit_that_git_refuses_leaves_nothing_behind(clone: GitRepository) -> None:
    """Once what it says is mended, the same command makes the version."""
    hook = clone.path / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not signed off >&2; exit 1\n", "utf-8")
    hook.chmod(0o755)
    assert "git commit failed: not signed off" in refused(clone, "7.0.0")
    assert clone.git("status", "--porcelain") == ""
    hook.unlink()
    done = release(clone, "7.0.0", WITHOUT_IMAGES)
    assert done.returncode == 0, done.stderr


@pytest.mark.requirement("shipping.release-resumed")
def test_a_version_that_is_made_can_be_made_again(clone: GitRepository) -> None:
    """It says the same, and changes nothing."""
    first, second = release(clone, "7.0.0", WITHOUT_IMAGES), release(clone, "7.0.0", WITHOUT_IMAGES)
    assert second.returncode == 0, second.stderr
    assert second.stdout.splitlines()[1:] == first.stdout.splitlines()[1:]


@pytest.mark.requirement("shipping.release-checks")
def test_a_checkout_with_changes_is_refused(clone: GitRepository) -> None:
    """What is not committed would be in the images and in no commit; the file is named."""
    (clone.path / "left.txt").touch()
    told = refused(clone, "7.0.0")
    assert "commit them, or put them away (git stash -u)" in told
    assert "left.txt" in told


@pytest.mark.requirement("shipping.release-checks")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "make release VERSION="),
        (("0.0.1",), "choose one that is not before it"),
        (("v7.0.0",), "is no version: write 1.2.3"),
    ],
)
def test_a_wrong_version_is_refused(
    clone: GitRepository, words: tuple[str, ...], told: str
) -> None:
    """Before anything is written."""
    assert told in refused(clone, *words)
    assert clone.git("status", "--porcelain") == ""


@pytest.mark.requirement("shipping.release-checks")
def test_a_version_that_is_tagged_elsewhere_is_refused(clone: GitRepository) -> None:
    """With where it is."""
    release(clone, "7.0.0", WITHOUT_IMAGES)
    change(clone, "# Changelog\n\n## Unreleased\n\n- The other clock.\n")
    assert "v7.0.0 is there already, at " in refused(clone, "7.0.0")


@pytest.mark.requirement("shipping.release-checks")
def test_a_version_that_changes_nothing_is_refused(clone: GitRepository) -> None:
    """Nothing is written then."""
    change(clone, "# Changelog\n\n## Unreleased\n")
    assert "write there what changes" in refused(clone, "7.0.0")
    assert clone.git("status", "--porcelain") == ""
