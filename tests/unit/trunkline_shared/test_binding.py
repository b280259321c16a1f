"""What a context is bound to."""

import pytest

from trunkline_shared.binding import bound, bound_to, outside_binding, require_bound
from trunkline_shared.errors import BlockedByPolicy


def test_without_a_context_nothing_is_refused() -> None:
    """No bindings, or something that is no object, bind nothing."""
    require_bound("It", 5, "issue_number")
    with bound_to(None):
        require_bound("It", 5, "issue_number")


def test_the_bound_object_passes_in_any_case_and_another_is_refused() -> None:
    """By any of the names that bind it; the failure says what it is bound to."""
    with bound_to({"pr_number": 5, "owner": "Acme"}):
        require_bound("It", 5, "issue_number", "pr_number")
        require_bound("The owner", "acme", "owner")
        with pytest.raises(BlockedByPolicy, match=r"6.*bound to pr_number 5"):
            require_bound("It", 6, "issue_number", "pr_number")


def test_branches_that_differ_in_case_are_two() -> None:
    """As git and GitHub have it, and the router."""
    with bound_to({"branch": "Fix"}):
        require_bound("The branch", "Fix", "branch")
        with pytest.raises(BlockedByPolicy, match="bound to branch Fix"):
            require_bound("The branch", "fix", "branch")


def test_bindings_end_with_the_block() -> None:
    """The next call has its own."""
    with bound_to({"owner": "acme"}):
        pass
    require_bound("The owner", "other", "owner")


def test_a_binding_can_be_read_where_no_argument_names_it() -> None:
    """For objects that a service has to look at; anything but text and numbers binds nothing."""
    assert bound("pr_number") is None
    with bound_to({"pr_number": 5, "owner": ["acme"]}):
        assert (bound("pr_number"), bound("owner"), bound("repo")) == (5, None, None)
        refusal = outside_binding("Run 7 is another's", "pr_number")
    assert refusal.message == "Run 7 is another's, and this context is bound to pr_number 5."
    assert refusal.details == {"reason": "outside_binding", "bound": {"pr_number": 5}}
