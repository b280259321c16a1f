"""What vendors count, and who uses it up."""

from typing import NamedTuple


class Quota(NamedTuple):
    """What a vendor counts: a credential's requests for one resource, or for every one."""

    credential: str
    resource: str


class Use(NamedTuple):
    """A tool in the hands of callers who share a credential."""

    server: str
    tool: str
    audience: str
