"""What all sections of `trunkline.yaml` have in common."""

from pydantic import BaseModel, ConfigDict

Globs = tuple[str, ...]


class Section(BaseModel):
    """Unknown keys are errors: a misspelled one must not silently do nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")
