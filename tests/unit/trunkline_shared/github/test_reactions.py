"""Reactions to issues and to comments of both families."""

import pytest

from tests.unit.trunkline_shared.github.answers import answer
from trunkline_shared.github import reactions
from trunkline_shared.github.reactions import Subject
from trunkline_shared.github.repository import Repository

HERE = Repository("o", "r")
HEART = {"id": 3, "content": "heart", "user": None, "created_at": "2026-01-01T00:00:00Z"}
SUBJECTS = [
    (reactions.issue(7), "/repos/o/r/issues/7/reactions"),
    (reactions.issue_comment(5), "/repos/o/r/issues/comments/5/reactions"),
    (reactions.review_comment(5), "/repos/o/r/pulls/comments/5/reactions"),
]


@pytest.mark.parametrize(("subject", "path"), SUBJECTS)
def test_a_reaction_is_created_listed_and_taken_back_at_its_subject(
    subject: Subject, path: str
) -> None:
    """Three verbs, one place."""
    created = reactions.create_reaction(HERE, subject, "heart")
    assert (created.request.path, created.request.json) == (path, {"content": "heart"})
    assert reactions.list_reactions(HERE, subject).request.path == path
    deleted = reactions.delete_reaction(HERE, subject, 3)
    assert (deleted.request.method, deleted.request.path) == ("DELETE", f"{path}/3")


@pytest.mark.parametrize(("status", "is_new"), [(200, False), (201, True)])
def test_a_reaction_that_was_there_is_told_from_a_new_one(status: int, *, is_new: bool) -> None:
    """200 existed, 201 is new; so creating may be repeated."""
    endpoint = reactions.create_reaction(HERE, reactions.issue(7), "heart")
    reacted = endpoint.read(answer(status, HEART))
    assert (reacted.reaction.id, reacted.created) == (3, is_new)
    assert endpoint.repeatable


def test_reactions_are_read_in_pages() -> None:
    """Those of deleted accounts too."""
    page = reactions.list_reactions(HERE, reactions.issue(7)).read(answer(200, [HEART]))
    assert [(r.content, r.user) for r in page.items] == [("heart", None)]


@pytest.mark.parametrize(("status", "existed"), [(204, True), (404, False)])
def test_taking_back_what_is_gone_is_no_failure(status: int, *, existed: bool) -> None:
    """It says whether it was there."""
    endpoint = reactions.delete_reaction(HERE, reactions.issue(7), 3)
    assert endpoint.read(answer(status, b"")) is existed
