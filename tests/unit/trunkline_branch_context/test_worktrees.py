"""The worktree list: git's porcelain in any form."""

from trunkline_branch_context.worktrees import Worktree, parse_worktrees


def test_every_attribute_of_gits_list_is_read() -> None:
    """Detached, bare, locked with and without a reason, prunable; paths with line breaks."""
    text = (
        "worktree /srv/repo\0HEAD aaa\0branch refs/heads/feature/x\0\0"
        "worktree /srv/odd\nname\0HEAD bbb\0detached\0locked on a\nstick\0\0"
        "worktree /srv/gone\0HEAD ccc\0branch refs/heads/y\0locked\0prunable no such place\0\0"
        "worktree /srv/bare\0bare\0\0"
    )
    assert list(parse_worktrees(text)) == [
        Worktree(name="repo", path="/srv/repo", branch="feature/x", head="aaa", in_git=True),
        Worktree(
            name="odd\nname",
            path="/srv/odd\nname",
            head="bbb",
            locked=True,
            locked_reason="on a\nstick",
            in_git=True,
        ),
        Worktree(
            name="gone",
            path="/srv/gone",
            branch="y",
            head="ccc",
            locked=True,
            prunable=True,
            in_git=True,
        ),
        Worktree(name="bare", path="/srv/bare", bare=True, in_git=True),
    ]


def test_no_output_is_no_worktree() -> None:
    """Nothing is made up."""
    assert list(parse_worktrees("")) == []
