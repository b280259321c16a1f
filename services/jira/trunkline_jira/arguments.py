"""The arguments that several Jira tools share, as an agent sees them."""

from typing import Annotated

from pydantic import Field

IssueKeyArgument = Annotated[
    str, Field(description="PROJ-123; default: the branch's issue", max_length=255)
]
