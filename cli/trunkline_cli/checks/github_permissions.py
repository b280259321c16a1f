"""Whether the credential may read what each GitHub server reads, by one small request each."""

from collections.abc import AsyncIterator
from typing import NamedTuple

from trunkline_cli.checks.finding import Finding
from trunkline_shared.errors import PermissionDenied, TrunklineError
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.reading import checked
from trunkline_shared.github.repository import Repository, path


class Probe(NamedTuple):
    """A list that needs one permission, and the servers that need it."""

    permission: str
    servers: str
    template: str


PROBES = (
    Probe("Issues: read", "github_comment, github", "/repos/{owner}/{repo}/issues"),
    Probe("Pull requests: read", "all GitHub servers", "/repos/{owner}/{repo}/pulls"),
    Probe("Actions: read", "github_ci", "/repos/{owner}/{repo}/actions/runs"),
)


async def check_permissions(github: GitHub, repository: Repository) -> AsyncIterator[Finding]:
    """Say which permissions the servers will miss in a repository."""
    for probe in PROBES:
        try:
            await github.fetch(_first_of(probe, repository))
        except PermissionDenied as error:
            yield Finding(
                about="permission",
                level="warn",
                text=f"{probe.permission} is missing: {probe.servers} will answer {error.code}",
                mend=f"give the token {probe.permission} for {repository.slug}",
            )
            continue
        except TrunklineError as error:
            yield Finding(
                about="permission", level="warn", text=error.message, mend=error.hint or ""
            )
            continue
        text = f"{probe.permission} ({probe.servers})"
        yield Finding(about="permission", level="ok", text=text)


def _first_of(probe: Probe, repository: Repository) -> Endpoint[Response]:
    request = Request(
        method="GET",
        path=path(probe.template, repository),
        query=(("per_page", "1"),),
        template=probe.template,
    )
    return Endpoint(request=request, read=checked, repeatable=True)
