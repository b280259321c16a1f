"""Signed links to the logs of jobs, which hold for a minute."""

import secrets
from dataclasses import dataclass, field

from trunkline_shared.clock import Clock
from trunkline_shared.testing.github.workflow_runs import Job

LINK_S = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What a signature stands for, and when it expires (seconds since the epoch)."""

    job: Job
    expires_at: float


@dataclass(slots=True, kw_only=True)
class LogLinks:
    """The links that were given out; `base` is the log host's URL without a trailing slash."""

    clock: Clock
    base: str = ""
    _by_signature: dict[str, Link] = field(default_factory=dict)

    def sign(self, job: Job) -> str:
        """Return a new link to the log of a job, which holds for a minute."""
        signature = secrets.token_urlsafe(24)
        link = Link(job=job, expires_at=self.clock.now() + LINK_S)
        self._by_signature[signature] = link
        path = f"/actions-results/job-{job.id}.txt"
        return f"{self.base}{path}?se={link.expires_at:.0f}&sig={signature}"

    def find(self, signature: str) -> Link | None:
        """Return the link with this signature, unless it has expired."""
        link = self._by_signature.get(signature)
        return link if link is not None and self.clock.now() < link.expires_at else None

    @property
    def signatures(self) -> list[str]:
        """All signatures that were ever given out: nobody but the log host may see them."""
        return list(self._by_signature)
