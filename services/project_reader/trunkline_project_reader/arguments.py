"""The arguments that tools about projects share, as an agent sees them."""

from typing import Annotated, Literal

from pydantic import Field

from trunkline_shared.arguments import PLAIN, Number, OptionalNumber

ProjectId = Number
RecordingId = Number
ToolId = Annotated[OptionalNumber, Field(description="Default: from the project's dock")]
BodyForm = Annotated[Literal["full", "excerpt", "none"], Field(description="Of the texts")]

__all__ = ["PLAIN", "BodyForm", "ProjectId", "RecordingId", "ToolId"]
