"""Tags of CI: a push spoils what was found through the branch, however that was spelled."""

import pytest

from trunkline_ci_status.tags import found_at
from trunkline_router.cache.tags import is_related
from trunkline_shared.github.repository import Repository

WIDGETS = Repository("Acme", "Widgets")
SHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e"
PUSH = "gh:acme/widgets:branches/main"


@pytest.mark.parametrize(
    "ref", ["main", "heads/main", "refs/heads/main", "HEAD", "main~1", "heads/main^", "@"]
)
def test_a_push_spoils_what_its_branch_was_asked_for(ref: str) -> None:
    """GitHub takes each of these for a commit; its event names the branch alone."""
    assert any(is_related(PUSH, tag) for tag in found_at(WIDGETS, SHA, ref))


@pytest.mark.parametrize("ref", ["pull/12/head", "refs/pull/12/head"])
def test_a_pull_request_s_event_spoils_what_was_asked_for_by_its_reference(ref: str) -> None:
    """No push is told of a branch that stands in a fork."""
    assert any(is_related("gh:acme/widgets#12", tag) for tag in found_at(WIDGETS, SHA, ref))


@pytest.mark.parametrize("ref", ["other", "heads/other", "tags/v1", "feature/main", SHA])
def test_a_push_spoils_nothing_of_another_reference(ref: str) -> None:
    """Each has a tag of its own."""
    assert not any(is_related(PUSH, tag) for tag in found_at(WIDGETS, SHA, ref))
