"""What git's complaints mean: stderr as one of our errors."""

from trunkline_shared.errors import InternalError, NoRepository, PermissionDenied, TrunklineError

_CHECKOUT_HINT = "Set TRUNKLINE_REPO_PATH (or --repo) to a git checkout with a working tree."


def refusal(command: str, code: int, complaint: str, shown: str) -> TrunklineError:
    """Return the error for a git command that ended with `code`.

    `complaint` is git's stderr in the C locale; it may hold paths and never leaves in an answer.
    """
    if "dubious ownership" in complaint:
        return PermissionDenied(
            f"git refuses {shown}: it belongs to another user (safe.directory)",
            hint=f"Run `git config --global --add safe.directory {shown}` as the user that runs "
            "this server, or run the server as the checkout's owner.",
            details={"reason": "dubious_ownership"},
        )
    if "not a git repository: " in complaint:
        return NoRepository(
            f"the .git of {shown} leads to a git directory that is not here: it is a linked "
            "worktree or a submodule, and a container sees only what is mounted",
            hint="Set TRUNKLINE_REPO_PATH (or --repo) to the main checkout.",
            details={"reason": "git_directory_elsewhere"},
        )
    if "not a git repository" in complaint:
        return no_repository("not_a_repository", f"{shown} is not inside a git repository")
    if "must be run in a work tree" in complaint:
        return no_repository("no_working_tree", f"{shown} has no working tree")
    if "Permission denied" in complaint:
        return PermissionDenied(
            f"the user that runs this server may not read {shown}",
            hint="Give that user read access to the checkout.",
            details={"reason": "unreadable"},
        )
    return InternalError(
        f"git {command} failed with exit code {code}",
        hint="Run `git fsck` in the checkout; the server's log has git's own words.",
        details={"reason": "git_failed", "exit_code": code},
    )


def no_repository(reason: str, message: str) -> NoRepository:
    """Return the error for a place that holds no usable checkout."""
    return NoRepository(message, hint=_CHECKOUT_HINT, details={"reason": reason})
