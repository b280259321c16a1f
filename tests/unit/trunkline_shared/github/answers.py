"""Answers of GitHub as values, for readers that need no socket."""

import orjson

from trunkline_shared.exchange import Response

NOW = 1_700_000_000.0
URL = "https://api.github.com/repos/o/r/issues/7/comments?per_page=100"


def answer(status: int = 200, body: object = None, **headers: object) -> Response:
    """Return an answer with a JSON body (or bytes as they are) and headers."""
    named = {name.replace("_", "-").lower(): str(value) for name, value in headers.items()}
    raw = body if isinstance(body, bytes) else orjson.dumps(body if body is not None else {})
    return Response(
        status=status,
        headers={"x-github-request-id": "ABCD:1", **named},
        body=raw,
        url=URL,
        received_at=NOW,
    )


COMMENT = {
    "id": 5,
    "node_id": "IC_5",
    "body": "hello",
    "user": {"login": "octocat", "id": 1, "type": "User", "site_admin": False},
    "author_association": "MEMBER",
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-02T00:00:00Z",
    "html_url": "https://github.com/o/r/issues/7#issuecomment-5",
    "issue_url": "https://api.github.com/repos/o/r/issues/7",
    "reactions": {"url": "https://api.github.com/x", "total_count": 3, "+1": 2, "eyes": 1},
}
REVIEW_COMMENT = {
    **{key: value for key, value in COMMENT.items() if key != "issue_url"},
    "pull_request_url": "https://api.github.com/repos/o/r/pulls/12",
    "path": "a.py",
    "line": None,
    "commit_id": "c0ffee",
}
