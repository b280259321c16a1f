"""GitHub Apps: signed tokens, installation tokens, and what each may do."""

from collections.abc import Mapping
from dataclasses import dataclass

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github import Demo, GitHubStandIn, Installation

pytestmark = pytest.mark.anyio

REPO = "/repos/acme/widgets"
PRIVATE = serialization.PrivateFormat.PKCS8
PUBLIC = serialization.PublicFormat.SubjectPublicKeyInfo
PEM = serialization.Encoding.PEM


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """A key pair as PEM."""

    private: str
    public: str


def key_pair() -> Keys:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(PEM, PRIVATE, serialization.NoEncryption())
    return Keys(
        private=private.decode(), public=key.public_key().public_bytes(PEM, PUBLIC).decode()
    )


@pytest.fixture(scope="module")
def keys() -> Keys:
    return key_pair()


@pytest.fixture
def installation(github: GitHubStandIn, demo: Demo, keys: Keys) -> Installation:
    return github.state.add_installation(
        "trunkline",
        demo.repository.owner,
        public_key=keys.public,
        permissions={"issues": "write", "metadata": "read"},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Minting:
    """An App that asks for tokens of its installation."""

    caller: Caller
    installation: Installation
    keys: Keys
    clock: FakeClock

    async def ask(self, body: object = None, **claims: object) -> Reply:
        now = int(self.clock.now())
        usual = {"iss": self.installation.app.client_id, "iat": now - 60, "exp": now + 540}
        signed = jwt.encode(usual | claims, self.keys.private, algorithm="RS256")
        path = f"/app/installations/{self.installation.id}/access_tokens"
        return await self.caller.using(signed).ask("POST", path, body)

    async def token(self, body: object = None) -> str:
        reply = await self.ask(body)
        assert reply.status == 201, reply.text
        return str(reply.json["token"])


@pytest.fixture
def minting(writer: Caller, installation: Installation, keys: Keys, clock: FakeClock) -> Minting:
    return Minting(caller=writer, installation=installation, keys=keys, clock=clock)


async def test_an_installation_token_lives_an_hour(minting: Minting, clock: FakeClock) -> None:
    """201 with the token, its end and its permissions; an hour later it is 401."""
    reply = await minting.ask()
    assert reply.status == 201
    assert reply.json["expires_at"] == "2023-11-14T23:13:20Z"
    assert reply.json["permissions"] == {"issues": "write", "metadata": "read"}
    caller = minting.caller.using(reply.json["token"])
    assert (await caller.ask("GET", REPO)).status == 200
    clock.advance(3600)
    assert (await caller.ask("GET", REPO)).status == 401


async def test_the_issuer_may_be_the_id_or_the_client_id(minting: Minting) -> None:
    """Both name the App; anything else is 401."""
    app = minting.installation.app
    assert (await minting.ask(iss=str(app.id))).status == 201
    assert (await minting.ask(iss="Iv1.0000000000000000")).status == 401


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ({"iat": 1}, "Issued at"),
        ({"exp": 0}, "Expiration time"),
        ({"exp": 541}, "too far in the future"),
        ({"iat": 0, "exp": 601}, "too far in the future"),
    ],
    ids=["issued-in-the-future", "expired", "over-600-from-iat", "over-600-from-now"],
)
async def test_the_times_of_a_signed_token_are_judged(
    minting: Minting, clock: FakeClock, claims: Mapping[str, int], message: str
) -> None:
    """Offsets from now: `iat` must have been, `exp` must come, within 600 s."""
    now = int(clock.now())
    reply = await minting.ask(**{name: now + offset for name, offset in claims.items()})
    assert reply.status == 401
    assert message in reply.json["message"]


async def test_six_hundred_seconds_are_allowed(minting: Minting, clock: FakeClock) -> None:
    """The window is closed at its end."""
    now = int(clock.now())
    assert (await minting.ask(iat=now, exp=now + 600)).status == 201


async def test_another_key_does_not_sign_for_the_app(minting: Minting) -> None:
    """The signature is verified with the App's own key."""
    forged = Minting(
        caller=minting.caller,
        installation=minting.installation,
        keys=key_pair(),
        clock=minting.clock,
    )
    assert (await forged.ask()).status == 401
    path = f"/app/installations/{minting.installation.id}/access_tokens"
    assert (await minting.caller.using("not.a.token").ask("POST", path)).status == 401


async def test_a_suspended_and_a_missing_installation_are_refused(
    minting: Minting, github: GitHubStandIn
) -> None:
    """403 while suspended, 404 when it is not there (or another App's)."""
    minting.installation.suspended = True
    assert (await minting.ask()).status == 403
    del github.state.installations[minting.installation.id]
    github.state.installations[1] = minting.installation
    assert (await minting.ask()).status == 404


async def test_a_token_can_be_narrowed_but_not_widened(minting: Minting) -> None:
    """Fewer repositories and permissions are granted, others are 422."""
    narrowed = await minting.ask({"repositories": ["widgets"], "permissions": {"issues": "read"}})
    assert narrowed.status == 201
    assert narrowed.json["repository_selection"] == "selected"
    assert [one["full_name"] for one in narrowed.json["repositories"]] == ["acme/widgets"]
    refused = await minting.caller.using(narrowed.json["token"]).ask(
        "POST", f"{REPO}/issues/1/comments", {"body": "hi"}
    )
    assert refused.status == 403
    assert refused.json["message"] == "Resource not accessible by integration"
    for wider in ({"permissions": {"contents": "write"}}, {"repositories": ["secrets"]}):
        assert (await minting.ask(wider)).status == 422


async def test_an_app_speaks_as_its_bot(minting: Minting) -> None:
    """Comments are of type Bot and name the App; /user is not for it."""
    caller = minting.caller.using(await minting.token())
    reply = await caller.ask("POST", f"{REPO}/issues/1/comments", {"body": "beep"})
    assert reply.json["user"]["login"] == "trunkline[bot]"
    assert reply.json["user"]["type"] == "Bot"
    assert reply.json["performed_via_github_app"]["slug"] == "trunkline"
    assert (await caller.ask("GET", "/user")).status == 403


async def test_an_app_may_not_talk_where_it_is_locked(minting: Minting, demo: Demo) -> None:
    """A lock holds for Apps whatever their permissions."""
    caller = minting.caller.using(await minting.token())
    path = f"{REPO}/issues/{demo.locked.number}/comments"
    assert (await caller.ask("POST", path, {"body": "beep"})).status == 403


async def test_an_app_sees_only_where_it_is_installed(
    minting: Minting, github: GitHubStandIn
) -> None:
    """A private repository of another account is 404."""
    github.state.add_repository("other/place", private=True)
    caller = minting.caller.using(await minting.token())
    assert (await caller.ask("GET", "/repos/other/place")).status == 404


async def test_tokens_of_one_installation_share_its_budget(minting: Minting) -> None:
    """The limit belongs to the installation; the log calls each token by name."""
    for expected in ("4999", "4998"):
        caller = minting.caller.using(await minting.token())
        assert (await caller.ask("GET", REPO)).headers["X-RateLimit-Remaining"] == expected


async def test_a_used_up_installation_is_named(minting: Minting, clock: FakeClock) -> None:
    """The refusal speaks of the installation, not of its bot."""
    caller = minting.caller.using(await minting.token())
    minting.installation.budget.exhaust(clock.now() + 30)
    said = (await caller.ask("GET", REPO)).json["message"]
    assert f"installation ID {minting.installation.id}" in said


async def test_new_tokens_can_be_slow_to_be_known(minting: Minting, clock: FakeClock) -> None:
    """A fresh installation token is 401 for as long as the App is told to be slow."""
    minting.installation.app.refuses_new_tokens_for_s = 2
    caller = minting.caller.using(await minting.token())
    assert (await caller.ask("GET", REPO)).status == 401
    clock.advance(2)
    assert (await caller.ask("GET", REPO)).status == 200


async def test_signing_apps_do_not_draw_on_the_budget_of_nobody(minting: Minting) -> None:
    """An App may mint more tokens than an anonymous caller has calls."""
    assert (await minting.ask()).headers["X-RateLimit-Limit"] == "5000"
