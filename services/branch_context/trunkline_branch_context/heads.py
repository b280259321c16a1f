"""The branches that exist in git, as `for-each-ref` lists them."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_branch_context.git import Git

LOCAL = "refs/heads/"
REMOTE = "refs/remotes/"
_FIELDS = ("refname", "objectname", "committerdate:unix", "upstream", "worktreepath")
_FORMAT = "%00".join(f"%({field})" for field in _FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """One branch: `name` without its prefix, `committed_at` in seconds since the epoch.

    `upstream` is a full reference name.
    """

    name: str
    sha: str
    committed_at: int
    upstream: str | None = None
    worktree: str | None = None


Heads = Mapping[str, Head]


async def local_heads(git: Git) -> Heads:
    """Return the local branches by name."""
    return await _listed(git, LOCAL)


async def remote_heads(git: Git) -> Heads:
    """Return the remote-tracking branches by name (`origin/main`)."""
    return await _listed(git, REMOTE)


async def reference_sha(git: Git, reference: str) -> str | None:
    """Return the object that a full reference name points to, or None when it is gone."""
    listed = await git.run("for-each-ref", "--format=%(refname)%00%(objectname)", reference)
    found = dict(line.split("\0") for line in listed.text.split("\n") if line)
    return found.get(reference)


async def _listed(git: Git, prefix: str) -> Heads:
    output = await git.run("for-each-ref", f"--format={_FORMAT}", prefix)
    heads = (_head(line, prefix) for line in output.text.split("\n") if line)
    return {head.name: head for head in heads}


def _head(line: str, prefix: str) -> Head:
    refname, sha, committed, upstream, worktree = line.split("\0")
    return Head(
        name=refname.removeprefix(prefix),
        sha=sha,
        committed_at=int(committed or 0),
        upstream=upstream or None,
        worktree=worktree or None,
    )


def shortened(reference: str) -> str:
    """Return a full reference name as people write it."""
    return reference.removeprefix(LOCAL).removeprefix(REMOTE)
