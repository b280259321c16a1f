"""Which repository a call is about: reads have a default, writes say it."""

from trunkline_shared.binding import require_bound
from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository


async def to_read(github: GitHub, owner: str, repo: str) -> Repository:
    """Return the given repository, or the configured one where nothing is given.

    Raises CredentialsMissing before anything else.
    """
    return _bound(await github.repository(owner, repo))


async def to_write(github: GitHub, owner: str, repo: str) -> Repository:
    """Return the given repository; a write is never sent to a default.

    Raises CredentialsMissing before anything else, then InvalidInput.
    """
    await github.check_credentials()
    missing = [name for name, value in (("owner", owner), ("repo", repo)) if not value]
    if missing and "/" not in repo:
        raise InvalidInput(
            f"{' and '.join(missing)} must be given: a write has no default repository.",
            hint="Pass owner and repo, such as owner='octocat' and repo='hello-world'.",
            details={
                "field_errors": [
                    {"field": name, "problem": "is required", "kind": "missing"} for name in missing
                ]
            },
        )
    return _bound(await github.repository(owner, repo))


def _bound(repository: Repository) -> Repository:
    require_bound("The owner", repository.owner, "owner")
    require_bound("The repository", repository.name, "repo")
    return repository


def require_bound_issue(number: int) -> None:
    """Check an issue or pull request against the context. Raises BlockedByPolicy."""
    require_bound("The issue or pull request", number, "issue_number", "pr_number")
