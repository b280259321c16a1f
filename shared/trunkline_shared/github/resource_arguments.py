"""What stands in the addresses of resources about GitHub: text, until it is looked at."""

from typing import Annotated

from pydantic import Field

from trunkline_shared.errors import InvalidInput

_LONGEST = 18
Owner = Annotated[str, Field(description="Owner")]
Repo = Annotated[str, Field(description="Repository without its owner")]
Pull = Annotated[str, Field(description="Number of the pull request")]


def pull_number(text: str) -> int:
    """Return the number of a pull request. Raises InvalidInput for what is none."""
    sound = text.isascii() and text.isdigit() and len(text) <= _LONGEST and int(text) > 0
    if not sound:
        problem = "must be the number of a pull request, such as 12"
        raise InvalidInput(
            f"pr_number {text[:40]!r} {problem}.",
            details={"field_errors": [{"field": "pr_number", "problem": problem}]},
        )
    return int(text)
