"""Building a client's MCP configuration for one job: the servers it needs, bound to its objects."""

from collections.abc import Iterable
from urllib.parse import quote, urlencode

from trunkline_shared.client.entry import checked_base, checked_token

ServerConfiguration = dict[str, str | dict[str, str]]

_COMMENT = "github_comment"
_FOR_PULL_REQUESTS = ("github_inline_comment", "github_ci")


def build_mcp_servers(
    base_url: str,
    owner: str,
    repo: str,
    pr_number: int | None = None,
    comment_id: int | None = None,
    token: str | None = None,
) -> dict[str, ServerConfiguration]:
    """Return the GitHub review servers of a job by their ids, as clients take them.

    With a pull request all three; without one `github_comment` alone, since the others work on
    pull requests only. `comment_id` is the comment of the conversation that the job keeps up to
    date, so it binds `github_comment` alone. Raises ValueError.
    """
    base = checked_base(base_url)
    context = _checked_repository(owner, repo)
    headers = {"Authorization": f"Bearer {checked_token(token)}"} if token is not None else {}
    ids = [_COMMENT]
    if pr_number is not None:
        context["pr_number"] = _checked_number("pr_number", pr_number)
        ids += _FOR_PULL_REQUESTS
    contexts = {server: dict(context) for server in ids}
    if comment_id is not None:
        contexts[_COMMENT]["comment_id"] = _checked_number("comment_id", comment_id)
    return {
        server: {
            "type": "http",
            "url": f"{base}/servers/{server}/mcp?{urlencode(bound, quote_via=quote)}",
            "headers": dict(headers),
        }
        for server, bound in contexts.items()
    }


def build_allowed_mcp_tools(ids: Iterable[str]) -> list[str]:
    """Return the patterns that allow every tool of the servers named: `mcp__{id}__*`."""
    return [f"mcp__{server}__*" for server in ids]


def _checked_repository(owner: str, repo: str) -> dict[str, str]:
    # Whoever wants a client's own entry need not wait for these.
    from trunkline_shared.errors import InvalidInput  # noqa: PLC0415 - only a job pays for it
    from trunkline_shared.github.repository import Repository  # noqa: PLC0415 - only a job pays for it

    try:
        repository = Repository(owner, repo)
    except (InvalidInput, TypeError) as error:
        raise ValueError(str(error)) from None
    return {"owner": repository.owner, "repo": repository.name}


def _checked_number(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} {value!r} must be a positive whole number")
    return str(value)
