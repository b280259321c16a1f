"""What a context is bound to."""

import pytest

from trunkline_shared.binding import bound_to, require_bound
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


def test_bindings_end_with_the_block() -> None:
    """The next call has its own."""
    with bound_to({"owner": "acme"}):
        pass
    require_bound("The owner", "other", "owner")
