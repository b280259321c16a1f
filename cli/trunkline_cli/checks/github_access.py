"""GitHub's credentials, and what they reach."""

from collections.abc import AsyncIterator

from pydantic import BaseModel, ConfigDict

from trunkline_cli.checks.finding import Finding
from trunkline_cli.checks.github_permissions import check_permissions
from trunkline_shared.errors import (
    CredentialError,
    CredentialsMissing,
    NotFound,
    TrunklineError,
    UpstreamError,
)
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.reading import one
from trunkline_shared.github.repository import Repository, path
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.store.store import in_process_store

_TEMPLATE = "/repos/{owner}/{repo}"


class _Permissions(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    pull: bool = True
    push: bool = False


class _Reached(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    full_name: str
    private: bool = False
    permissions: _Permissions = _Permissions()


_read_reached = one(_Reached)


async def check_github(settings: GitHubSettings, default: str) -> AsyncIterator[Finding]:
    """Say whose the token is, and what it may do in the default repository."""
    async with open_github(settings, in_process_store()) as github:
        credential = await _check_credential(github)
        yield credential
        if credential.level != "ok" or not default:
            return
        reach = await _check_repository(github, default)
        yield reach
        if reach.level == "ok":
            async for finding in check_permissions(github, _named(default)):
                yield finding


async def _check_credential(github: GitHub) -> Finding:
    try:
        token = await github.tokens.get()
        login = await github.login()
    except CredentialsMissing as error:
        text = "no credential: the GitHub tools answer CREDENTIALS_MISSING"
        return Finding(about="github", level="warn", text=text, mend=error.hint or error.message)
    except UpstreamError as error:
        mend = error.hint or "check the network and TRUNKLINE_GITHUB_API_URL"
        return Finding(about="github", level="fail", text=error.message, mend=mend)
    except TrunklineError as error:
        mend = error.hint or "make a new token and set GITHUB_TOKEN to it"
        return Finding(about="github", level="fail", text=error.message, mend=mend)
    return Finding(about="github", level="ok", text=f"signed in as {login}, with {token.source}")


async def _check_repository(github: GitHub, default: str) -> Finding:
    try:
        reached = await github.fetch(_reach(_named(default)))
    except (NotFound, CredentialError) as error:
        mend = f"give the token access to {default}, or set TRUNKLINE_GITHUB_REPOSITORY"
        return Finding(about="reach", level="warn", text=error.message, mend=mend)
    except TrunklineError as error:
        return Finding(about="reach", level="warn", text=error.message, mend=error.hint or "")
    kind = "private" if reached.private else "public"
    may = "read and write" if reached.permissions.push else "read"
    return Finding(about="reach", level="ok", text=f"{reached.full_name} ({kind}): may {may}")


def _named(default: str) -> Repository:
    owner, _, name = default.partition("/")
    return Repository(owner, name)


def _reach(repository: Repository) -> Endpoint[_Reached]:
    request = Request(method="GET", path=path(_TEMPLATE, repository), template=_TEMPLATE)
    return Endpoint(request=request, read=_read_reached, repeatable=True)
