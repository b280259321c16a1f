"""A caller's own credential in place of the mesh's: for its call, and for nothing else."""

import asyncio
import base64
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from trunkline_jira.site.credentials import JiraCredentials
from trunkline_project_reader.tokens.provider import brought
from trunkline_shared.caller_credentials import credentials_given, given_credential
from trunkline_shared.errors import AuthError, CredentialsMissing
from trunkline_shared.github.keyed_lock import KeyedWrites
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.vendor.callers_own import CallersOwn, PerCredential
from trunkline_shared.vendor.credential import Credential

pytestmark = pytest.mark.anyio

MESH = Credential(authorization="Bearer mesh", source="the mesh")
NEWER = Credential(authorization="Bearer newer", source="the mesh")


@dataclass
class OfMesh:
    """The mesh's own credentials, which can be renewed."""

    refused: list[Credential] = field(default_factory=list)

    async def get(self) -> Credential:
        return MESH

    async def renewed(
        self,
        refused: Credential,
        *,
        status: int,
        refusals: int,
    ) -> Credential | None:
        self.refused.append(refused)
        return NEWER


def read(given: str) -> Credential:
    return Credential(authorization=f"Bearer {given}", source="a key")


def jira(host: str = "acme.atlassian.net") -> JiraCredentials:
    nothing = LiveSecret("NOTHING", env={})
    return JiraCredentials(
        host=host,
        username=nothing,
        api_token=nothing,
        personal=nothing,
        netrc_file=Path("/nonexistent"),
    )


@pytest.mark.requirement("gateway.credentials")
async def test_a_callers_own_is_used_and_never_replaced() -> None:
    """Refused by the vendor it stays refused; other vendors and other calls use the mesh's."""
    mesh = OfMesh()
    own: CallersOwn[Credential] = CallersOwn(vendor="github", read=read, otherwise=mesh)
    with credentials_given({"github": "hers", "jira": "x"}):
        hers = await own.get()
        assert hers.authorization == "Bearer hers"
        assert await own.renewed(hers, status=401, refusals=1) is None
    assert mesh.refused == []
    with credentials_given({"jira": "x"}):
        assert await own.get() is MESH
    assert await own.get() is MESH
    assert await own.renewed(MESH, status=401, refusals=1) is NEWER


@pytest.mark.requirement("gateway.credentials")
@pytest.mark.parametrize("given", [None, "github", ["github"], {"github": 7}, {"github": ""}, {}])
async def test_what_is_no_credential_is_none(given: object) -> None:
    """Whatever stands under that name: the mesh's own is used."""
    with credentials_given(given):
        assert given_credential("github") is None


@pytest.mark.requirement("gateway.credentials")
async def test_calls_at_the_same_time_use_each_their_own() -> None:
    """And remember apart what they have seen and made."""
    own: CallersOwn[Credential] = CallersOwn(vendor="github", read=read, otherwise=OfMesh())
    seen = PerCredential[list[str]]("github", list)
    writes = KeyedWrites()
    both = asyncio.Barrier(2)

    async def call(secret: str) -> tuple[str, list[str], int | None]:
        with credentials_given({"github": secret}):
            await both.wait()
            async with writes.alone(("acme/widgets", 1, "marker")):
                await both.wait()
                used = (await own.get()).authorization
            seen.current().append(secret)
            writes.remember(("acme/widgets", 1, "marker"), len(secret))
            await both.wait()
            return used, seen.current(), writes.recall(("acme/widgets", 1, "marker"))

    async with asyncio.timeout(5):
        answers = await asyncio.gather(call("a"), call("bob"))
    assert list(answers) == [("Bearer a", ["a"], 1), ("Bearer bob", ["bob"], 3)]
    assert seen.current() == []
    assert writes.recall(("acme/widgets", 1, "marker")) is None


@pytest.mark.requirement("gateway.credentials")
async def test_each_vendor_reads_its_own_form() -> None:
    """Jira: a user with a token, or a personal token; Basecamp: an access token."""
    encoded = base64.b64encode(b"me@acme.test:t0:x").decode()
    assert jira().brought("me@acme.test:t0:x").authorization == f"Basic {encoded}"
    assert jira().brought("personal-token").authorization == "Bearer personal-token"
    assert brought("access").authorization == "Bearer access"
    with pytest.raises(CredentialsMissing, match="JIRA_HOST"):
        jira("").brought("personal-token")
    with pytest.raises(AuthError) as caught:
        jira().brought("two words")
    assert "two words" not in f"{caught.value.message} {caught.value.hint}"
