"""What the status of a server that other people run says by itself."""

import pytest

from trunkline_router.adapters.refusing import failure
from trunkline_shared.errors import RateLimited


@pytest.mark.parametrize(
    ("said", "pause"),
    [("7", 7), ("0", 0), ("9" * 5000, 3600), ("", None), ("-1", None), ("tomorrow", None)],
)
def test_a_pause_is_as_long_as_a_server_says_within_reason(said: str, pause: int | None) -> None:
    """RFC 9110, section 10.2.3; whatever else stands there is no pause."""
    fault = failure("wiki", 429, said)
    assert isinstance(fault, RateLimited)
    assert fault.retry_after == pause
