"""`router.cache` of `trunkline.yaml`."""

import re

from pydantic import Field, field_validator

from trunkline_router.configuration.section import Globs, Section

_REPOSITORIES = re.compile(r"[^\s,/]+/[^\s,/]+")


class CacheEntry(Section):
    """How much is kept, how long where a vendor tells of changes, and when a router is gone.

    Bytes and seconds. `hooked` are globs of repositories, `owner/repo`, whose webhook is known to
    come here before any delivery has. A router that has not been heard for `forget_s` is taken for
    gone; null is never. Without `enabled` each read is asked anew, and writes are made known to
    the other routers as always.
    """

    enabled: bool = True
    memory_bytes: int = Field(256 * 1024 * 1024, ge=0)
    webhook_ttl_s: float = Field(3600, ge=0)
    hooked: Globs = ()
    forget_s: float | None = Field(900, ge=60)

    @field_validator("hooked")
    @classmethod
    def _match_repositories(cls, value: Globs) -> Globs:
        for glob in value:
            if glob != "*" and not _REPOSITORIES.fullmatch(glob):
                raise ValueError(
                    f"{glob!r} is no glob over owner/repo: write acme/*, or acme/widgets"
                )
        return value
