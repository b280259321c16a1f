"""The arguments that several GitHub tools share, as an agent sees them."""

from typing import Annotated

from pydantic import Field

from trunkline_shared.arguments import PLAIN

IssueNumber = Annotated[int, Field(ge=1, description="Issue or pull request"), PLAIN]
PullNumber = Annotated[int, Field(ge=1, description="Pull request"), PLAIN]
CommentId = Annotated[
    int, Field(ge=1, description="Of an issue, pull request or review comment"), PLAIN
]
Body = Annotated[str, Field(min_length=1, description="Markdown")]
Owner = Annotated[str, Field(description="Needed unless the context sets it")]
Repo = Owner
