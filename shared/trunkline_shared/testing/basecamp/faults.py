"""What goes wrong with Basecamp in its own way."""

from trunkline_shared.testing.stand_in.faults import AnswerWith


def rate_limited(retry_after: str | int | None = None) -> AnswerWith:
    """Answer 429, with a `Retry-After` when one is given: seconds, or a date."""
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return AnswerWith(status=429, body="Too many requests", headers=headers)


def account_limit() -> AnswerWith:
    """Answer 507, as for an account that has reached a limit of its plan."""
    return AnswerWith(status=507, body={"error": "Account limit reached"})
