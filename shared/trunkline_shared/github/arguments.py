"""The arguments that several tools share, as an agent sees them."""

from typing import Annotated

from pydantic import AwareDatetime, BeforeValidator, Field


def _no_flag(value: object) -> object:
    """Refuse true and false, which Python takes for 1 and 0."""
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")  # noqa: TRY004 - pydantic turns a ValueError into a field error
    return value


_NO_FLAG = BeforeValidator(_no_flag)

Number = Annotated[int, Field(ge=1), _NO_FLAG]
PerPage = Annotated[int, Field(ge=1, le=100), _NO_FLAG]
IssueNumber = Annotated[int, Field(ge=1, description="Issue or pull request"), _NO_FLAG]
PullNumber = Annotated[int, Field(ge=1, description="Pull request"), _NO_FLAG]
CommentId = Annotated[
    int, Field(ge=1, description="Of an issue, pull request or review comment"), _NO_FLAG
]
Body = Annotated[str, Field(min_length=1, description="Markdown")]
Moment = AwareDatetime | None
Owner = Annotated[str, Field(description="Needed unless the context sets it")]
Repo = Owner
