"""Endpoints that open and change pull requests.

https://docs.github.com/rest/pulls/pulls · https://docs.github.com/rest/pulls/review-requests ·
https://docs.github.com/graphql/reference/mutations#convertpullrequesttodraft
"""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.graphql import mutation
from trunkline_shared.github.pull_models import PullRequest
from trunkline_shared.github.pulls import PULL, PULLS, read_pull
from trunkline_shared.github.repository import Repository, path

_REVIEWERS = PULL + "/requested_reviewers"
_TO_DRAFT = """mutation($id: ID!) {
  convertPullRequestToDraft(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}"""
_TO_READY = """mutation($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } }
}"""


class Changed(BaseModel):
    """That GitHub has done it; it raises otherwise."""


def create_pull(repository: Repository, fields: Mapping[str, object]) -> Endpoint[PullRequest]:
    """Open a pull request; GitHub refuses a second one for the same head and base (Conflict)."""
    request = Request(
        method="POST", path=path(PULLS, repository), json=dict(fields), template=PULLS
    )
    return Endpoint(request=request, read=read_pull, repeatable=False)


def update_pull(
    repository: Repository, number: int, fields: Mapping[str, object]
) -> Endpoint[PullRequest]:
    """Set title, body, state or base; what is not named stays."""
    request = Request(
        method="PATCH", path=path(PULL, repository, number=number), json=dict(fields), template=PULL
    )
    return Endpoint(request=request, read=read_pull, repeatable=True)


def request_reviewers(
    repository: Repository, number: int, *, people: Sequence[str], teams: Sequence[str]
) -> Endpoint[PullRequest]:
    """Ask people, and teams by their slugs, for a review; who is asked already stays so."""
    request = Request(
        method="POST",
        path=path(_REVIEWERS, repository, number=number),
        json={"reviewers": list(people), "team_reviewers": list(teams)},
        template=_REVIEWERS,
    )
    return Endpoint(request=request, read=read_pull, repeatable=True)


def set_draft(node_id: str, *, draft: bool) -> Endpoint[Changed]:
    """Make a pull request, by its GraphQL id, a draft or ready for review."""
    text = _TO_DRAFT if draft else _TO_READY
    return mutation(text, {"id": node_id}, Changed, repeatable=True)
