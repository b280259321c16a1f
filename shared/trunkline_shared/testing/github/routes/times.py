"""Times as a request brings them."""

from datetime import datetime

from trunkline_shared.testing.github.call import Call, Refusal


def since_of(call: Call) -> datetime | None:
    """Return the time from which on a list is wanted, or refuse what is none."""
    text = call.query.get("since")
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise Refusal(422, f"Invalid request.\n\n{text!r} is not a valid date-time.") from error
