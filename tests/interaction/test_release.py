"""A version is made in a clone as an operator makes it, images left out."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from release import lock, versions
from release.containers import ROOT
from trunkline_shared.testing.git_repository import GitRepository

PARTS = (
    ".gitignore",
    "CHANGELOG.md",
    "pyproject.toml",
    "uv.lock",
    "release/*.py",
    "*/pyproject.toml",
    "services/*/pyproject.toml",
    "k8s/**/*.yaml",
)


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    """What a version is made of, committed, with an entry in the changelog."""
    repository = GitRepository.at(tmp_path, commits=0)
    for path in (path for part in PARTS for path in ROOT.glob(part)):
        copy = repository.path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    repository.git("config", "user.name", "A Maintainer")
    repository.git("config", "user.email", "maintainer@example.com")
    change(repository, "# Changelog\n\n## Unreleased\n\n- The clock.\n")
    return repository


def change(repository: GitRepository, changelog: str) -> None:
    (repository.path / "CHANGELOG.md").write_text(changelog, "utf-8")
    repository.git("add", ".")
    repository.git("commit", "--quiet", "-m", "Change what the changelog says")


def release(repository: GitRepository, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "release", "version", *words, "--no-images"],
        cwd=repository.path,
        env=repository.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def refused(repository: GitRepository, *words: str) -> str:
    done = release(repository, *words)
    assert done.returncode == 1, done.stdout
    return done.stderr


@pytest.mark.requirement("shipping.release-one-version")
def test_a_version_is_committed_and_tagged(clone: GitRepository) -> None:
    """Everywhere the same, with the changelog's part as the tag's message, and nothing pushed."""
    done = release(clone, "7.0.0")
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
    release(clone, "7.0.0")
    after = (clone.path / "uv.lock").read_text("utf-8").splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['version = "7.0.0"'] * len(versions.manifests(clone.path))


@pytest.mark.requirement("shipping.release-resumed")
def test_the_same_command_goes_on_after_a_failure(clone: GitRepository) -> None:
    """A version that is committed is not committed again, and only its tag was missing."""
    release(clone, "7.0.0")
    clone.git("tag", "--delete", "v7.0.0")
    commits = clone.git("rev-list", "--count", "HEAD")
    done = release(clone, "7.0.0")
    assert "going on with 7.0.0" in done.stdout
    assert clone.git("rev-list", "--count", "HEAD") == commits
    assert clone.git("tag", "--points-at", "HEAD") == "v7.0.0"


@pytest.mark.requirement("shipping.release-resumed")
def test_a_version_that_is_made_can_be_made_again(clone: GitRepository) -> None:
    """It says the same, and changes nothing."""
    first, second = release(clone, "7.0.0"), release(clone, "7.0.0")
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
    release(clone, "7.0.0")
    change(clone, "# Changelog\n\n## Unreleased\n\n- The other clock.\n")
    assert "v7.0.0 is there already, at " in refused(clone, "7.0.0")


@pytest.mark.requirement("shipping.release-checks")
def test_a_version_that_changes_nothing_is_refused(clone: GitRepository) -> None:
    """Nothing is written then."""
    change(clone, "# Changelog\n\n## Unreleased\n")
    assert "write there what changes" in refused(clone, "7.0.0")
    assert clone.git("status", "--porcelain") == ""
