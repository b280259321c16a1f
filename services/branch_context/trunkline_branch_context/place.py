"""Where a checkout is: its working tree, its git directory, and the directory all share."""

from dataclasses import dataclass
from pathlib import Path

from trunkline_branch_context.git import Git
from trunkline_branch_context.refusal import no_repository, refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One working tree.

    `git_dir` is its own (HEAD lives there), `common_dir` is shared by all linked worktrees
    (branches live there).
    """

    toplevel: Path
    git_dir: Path
    common_dir: Path

    @property
    def linked(self) -> bool:
        return self.git_dir != self.common_dir

    @property
    def state_homes(self) -> tuple[Path, ...]:
        """Where twig's state may be: this worktree first, then the main one."""
        return tuple(dict.fromkeys((self.toplevel, self.common_dir.parent)))

    @property
    def ignores_case(self) -> bool:
        """Whether the file system takes `Main` and `main` for the same branch."""
        try:
            return (self.common_dir / "config").samefile(self.common_dir / "CONFIG")
        except OSError:
            return False


async def find_place(git: Git) -> Place:
    """Return the working tree that git's directory lies in.

    Raises NoRepository with `details.reason`: not_a_repository, git_directory_elsewhere, bare,
    no_working_tree (inside a git directory, a submodule's included), path_missing;
    PermissionDenied.
    """
    output = await git.run(
        "rev-parse",
        "--path-format=absolute",
        "--is-bare-repository",
        "--is-inside-work-tree",
        "--git-dir",
        "--git-common-dir",
        "--show-toplevel",
        accept=frozenset({0, 128}),
    )
    lines = output.text.splitlines()
    if len(lines) > 1 and lines[1] == "false":
        raise _without_working_tree(git.shown, bare=lines[0] == "true")
    if output.code != 0 or len(lines) != _LINES:
        raise refusal("rev-parse", output.code, output.complaint, git.shown)
    git_dir, common_dir, toplevel = (Path(line) for line in lines[2:])
    return Place(toplevel=toplevel, git_dir=git_dir, common_dir=common_dir)


_LINES = 5


def _without_working_tree(shown: str, *, bare: bool) -> Exception:
    if bare:
        return no_repository("bare", f"{shown} is a bare repository: it has no working tree")
    return no_repository("no_working_tree", f"{shown} is a git directory, not a working tree")
