"""A request knows whether it writes."""

import pytest

from trunkline_shared.exchange import Request


@pytest.mark.parametrize(
    ("method", "asks_only", "writes"),
    [
        ("GET", False, False),
        ("HEAD", False, False),
        ("OPTIONS", False, False),
        ("POST", False, True),
        ("PATCH", False, True),
        ("PUT", False, True),
        ("DELETE", False, True),
        ("POST", True, False),
    ],
)
def test_a_request_that_may_change_something_writes(
    method: str, *, asks_only: bool, writes: bool
) -> None:
    """By its method, unless it is a question sent as POST."""
    assert Request(method=method, path="/x", asks_only=asks_only).writes is writes
