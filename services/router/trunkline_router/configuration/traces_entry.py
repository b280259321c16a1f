"""`router.traces` of `trunkline.yaml`."""

from pydantic import Field

from trunkline_router.configuration.section import Section


class TracesEntry(Section):
    """How many traces the router itself keeps, the newest ones; a collector gets all of them."""

    kept: int = Field(2000, ge=0, le=100_000)
