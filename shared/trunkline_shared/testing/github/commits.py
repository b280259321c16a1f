"""Which commit a SHA, branch or tag of a repository means."""

from trunkline_shared.testing.github.repository import Repository


def commit_named(home: Repository, ref: str) -> str | None:
    """Return the SHA that a reference names, or None when there is no such commit."""
    name = ref.removeprefix("refs/").removeprefix("heads/").removeprefix("tags/")
    pulls = [one.pull for one in home.issues.values() if one.pull is not None]
    branches = {pull.base_ref: pull.base_sha for pull in pulls}
    branches |= {pull.head_ref: pull.head_sha for pull in pulls}
    found = branches.get(name) or home.ci.tags.get(name)
    known = {*home.ci.commits, *branches.values(), *home.ci.tags.values()}
    known.update(sha for pull in pulls for sha in pull.commits)
    return found or (ref if ref in known else None)
