"""A clone of what a version is made of, and the command that makes one there."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from release.containers import ROOT
from trunkline_cli.environment import variables
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


def clone_at(folder: Path, parts: Iterable[str] = PARTS) -> GitRepository:
    """Commit these parts of the checkout in a repository, with an entry in the changelog."""
    repository = GitRepository.at(folder, commits=0)
    for path in (path for part in parts for path in ROOT.glob(part) if path.is_file()):
        copy = repository.path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    repository.git("config", "user.name", "A Maintainer")
    repository.git("config", "user.email", "maintainer@example.com")
    change(repository, "# Changelog\n\n## Unreleased\n\n- The clock.\n")
    return repository


def change(repository: GitRepository, changelog: str) -> None:
    """Commit another changelog."""
    (repository.path / "CHANGELOG.md").write_text(changelog, "utf-8")
    repository.git("add", ".")
    repository.git("commit", "--quiet", "-m", "Change what the changelog says")


def release(
    repository: GitRepository, *words: str, patience_s: float = 60
) -> "subprocess.CompletedProcess[str]":
    """Make a version there, with the tools of this checkout."""
    path = f"{variables()['PATH']}:{ROOT / '.tools' / 'bin'}"
    return subprocess.run(
        [sys.executable, "-m", "release", "version", *words],
        cwd=repository.path,
        env={**repository.environment, "PATH": path},
        capture_output=True,
        text=True,
        timeout=patience_s,
        check=False,
    )
