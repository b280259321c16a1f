"""Endpoints of reactions (https://docs.github.com/rest/reactions/reactions).

Creating one that the same account has there already changes nothing and answers 200, so
sending it twice does no harm.
"""

from dataclasses import dataclass

from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.comment_models import Content, Reacted, Reaction
from trunkline_shared.github.reading import existed, one, page
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.vendor.page import Page

_CREATED = 201

_read_reaction = one(Reaction)
_read_reactions = page(Reaction)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is reacted to."""

    template: str
    id: int


def issue(number: int) -> Subject:
    """Name an issue or pull request."""
    return Subject("/repos/{owner}/{repo}/issues/{id}/reactions", number)


def issue_comment(comment_id: int) -> Subject:
    """Name a comment of a conversation."""
    return Subject("/repos/{owner}/{repo}/issues/comments/{id}/reactions", comment_id)


def review_comment(comment_id: int) -> Subject:
    """Name a comment on a diff."""
    return Subject("/repos/{owner}/{repo}/pulls/comments/{id}/reactions", comment_id)


def create_reaction(
    repository: Repository, subject: Subject, content: Content
) -> Endpoint[Reacted]:
    """React to the subject; the answer says whether the reaction is new."""
    return Endpoint(
        request=Request(
            method="POST",
            path=path(subject.template, repository, id=subject.id),
            json={"content": content},
            template=subject.template,
        ),
        read=_reacted,
        repeatable=True,
    )


def list_reactions(
    repository: Repository, subject: Subject, *, per_page: int = 100
) -> Endpoint[Page[Reaction]]:
    """List the reactions to the subject."""
    return Endpoint(
        request=Request(
            method="GET",
            path=path(subject.template, repository, id=subject.id),
            query=(("per_page", str(per_page)),),
            template=subject.template,
        ),
        read=_read_reactions,
        repeatable=True,
    )


def delete_reaction(repository: Repository, subject: Subject, reaction_id: int) -> Endpoint[bool]:
    """Take a reaction back; returns whether it was there."""
    template = subject.template + "/{reaction_id}"
    return Endpoint(
        request=Request(
            method="DELETE",
            path=path(template, repository, id=subject.id, reaction_id=reaction_id),
            template=template,
        ),
        read=existed,
        repeatable=True,
    )


def _reacted(response: Response) -> Reacted:
    reaction = _read_reaction(response)
    return Reacted(reaction=reaction, created=response.status == _CREATED)
