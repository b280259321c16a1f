"""Real git repositories for tests: hermetic, with twig state, worktrees and remotes."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

CREATED_AT = "2026-01-02T03:04:05Z"
COMMITTED_AT = "2026-01-02T03:04:05+00:00"
DEFAULT_BRANCH = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitRepository:
    """A repository at `path`, in a world of its own below `home`: no setting of the user counts."""

    path: Path
    home: Path

    @classmethod
    def at(cls, folder: Path, *, commits: int = 1) -> "GitRepository":
        """Make a repository `repo` below `folder`, with `commits` commits on `main`."""
        home = folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        repository = cls(path=folder / "repo", home=home)
        repository.path.mkdir()
        repository.git("init", "--quiet", f"--initial-branch={DEFAULT_BRANCH}")
        for number in range(commits):
            repository.commit(f"commit {number}")
        return repository

    @property
    def environment(self) -> dict[str, str]:
        """What git, and a server under test, may see."""
        return {
            "PATH": os.pathsep.join((str(Path(shutil.which("git") or ".").parent), os.defpath)),
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_DATA_HOME": str(self.home / ".local" / "share"),
            "GIT_CONFIG_GLOBAL": str(self.home / ".gitconfig"),
        }

    def git(self, *arguments: str, at: Path | None = None) -> str:
        """Run git as the made-up user; returns what it printed, without the last line break.

        Raises subprocess.CalledProcessError.
        """
        done = subprocess.run(  # noqa: S603 - the arguments are the tests' own
            ["git", *arguments],  # noqa: S607 - tests use git as the user has it
            cwd=at or self.path,
            env=self.environment | _IDENTITY,
            check=True,
            capture_output=True,
            timeout=60,
        )
        return done.stdout.decode().removesuffix("\n")

    def commit(self, message: str, *, at: Path | None = None) -> str:
        """Make an empty commit where HEAD is; returns its name."""
        self.git("commit", "--quiet", "--allow-empty", "-m", message, at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def write(self, name: str, text: str) -> Path:
        """Write a file of the working tree and tell git of it, uncommitted."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        self.git("add", "--", name)
        return path

    def branch(self, *names: str, start: str = "HEAD") -> None:
        """Make branches, also ones that `git branch` would take for options or refuse as HEAD."""
        sha = self.git("rev-parse", start)
        for name in names:
            self.git("update-ref", f"refs/heads/{name}", sha)

    def switch(self, name: str) -> None:
        """Check out a branch; HEAD is set by its full name, so any name goes."""
        self.git("symbolic-ref", "HEAD", f"refs/heads/{name}")

    def detach(self) -> None:
        """Detach HEAD where it is."""
        self.git("checkout", "--quiet", "--detach")

    def worktree(self, name: str, branch: str) -> Path:
        """Add a linked worktree where twig would: `../repo-worktrees/NAME`."""
        path = self.path.parent / f"{self.path.name}-worktrees" / name
        self.git("worktree", "add", "--quiet", "-B", branch, str(path))
        return path

    def track(self, branch: str, upstream_sha: str, remote: str = "origin") -> None:
        """Make `branch` track a remote branch of the same name that points to `upstream_sha`."""
        self.git("update-ref", f"refs/remotes/{remote}/{branch}", upstream_sha)
        self.git("config", f"branch.{branch}.remote", remote)
        self.git("config", f"branch.{branch}.merge", f"refs/heads/{branch}")

    def twig(self, state: Mapping[str, object] | str, *, at: Path | None = None) -> Path:
        """Write twig's state file, from an object or as raw text; returns its path."""
        folder = (at or self.path) / ".twig"
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        path = folder / "state.json"
        text = state if isinstance(state, str) else json.dumps(state, indent=2)
        path.write_text(text, encoding="utf-8")
        return path

    def registry(self, repositories: Sequence[Mapping[str, object]] | str) -> Path:
        """Write twig's registry in the made-up home; returns its path."""
        path = self.home / ".local" / "share" / "twig" / "registry.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = repositories if isinstance(repositories, str) else json.dumps(repositories)
        path.write_text(text, encoding="utf-8")
        return path


_IDENTITY = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": COMMITTED_AT,
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_COMMITTER_DATE": COMMITTED_AT,
    "LC_ALL": "C",
}


def twig_state(
    *,
    branches: Mapping[str, tuple[str | None, int | None]] | None = None,
    dependencies: Sequence[tuple[str, str]] = (),
    roots: Sequence[tuple[str, bool]] = (),
    worktrees: Sequence[tuple[str, str, str]] = (),
) -> dict[str, object]:
    """Return a state as twig writes it.

    `branches` maps a name to issue and pull request, `dependencies` are (child, parent), `roots`
    (branch, is default), `worktrees` (name, path, branch).
    """
    return {
        "version": 1,
        "updated_at": CREATED_AT,
        "worktrees": [
            {"name": name, "path": path, "branch": branch, "created_at": CREATED_AT}
            for name, path, branch in worktrees
        ],
        "branches": {
            name: {
                "branch": name,
                "jira_issue": issue,
                "github_pr": number,
                "created_at": CREATED_AT,
            }
            for name, (issue, number) in (branches or {}).items()
        },
        "dependencies": [
            {"id": f"d{at}", "child": child, "parent": parent, "created_at": CREATED_AT}
            for at, (child, parent) in enumerate(dependencies)
        ],
        "root_branches": [
            {"id": f"r{at}", "branch": name, "is_default": default, "created_at": CREATED_AT}
            for at, (name, default) in enumerate(roots)
        ],
    }
