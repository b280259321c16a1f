"""Everything about the work at hand, as a program has it."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class WorkPart(BaseModel):
    """What one server knows, or why it is missing; text in `data` is from strangers."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    available: bool = False
    data: Mapping[str, JsonValue] = Field(default_factory=dict)
    error_code: str | None = None
    message: str | None = None
    hint: str | None = None
    retryable: bool = False

    def __bool__(self) -> bool:
        return self.available


class WorkContext(BaseModel):
    """The work at hand, each part by itself; one that there is none of is missing as NOT_FOUND.

    `left_out` counts the entries and characters that did not fit.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    branch: WorkPart = WorkPart()
    pull_request: WorkPart = WorkPart()
    ci: WorkPart = WorkPart()
    threads: WorkPart = WorkPart()
    jira: WorkPart = WorkPart()
    todo: WorkPart = WorkPart()
    left_out: Mapping[str, int] = Field(default_factory=dict)
