"""A GitHub App's tokens: signed for, minted once, renewed in time."""

import asyncio
from datetime import UTC, datetime, timedelta

import anyio
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from trunkline_shared.errors import AuthError, CredentialsMissing, NetworkError
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github.tokens.app import AppTokens, InstallationToken
from trunkline_shared.github.tokens.app_key import AppKey
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PEM = KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption()).decode()
HOUR = 3600


class Mint:
    """Mints numbered tokens that live an hour, and counts."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.paths: list[str] = []
        self.assertions: list[str] = []

    async def __call__(
        self, endpoint: Endpoint[InstallationToken], assertion: str
    ) -> InstallationToken:
        self.paths.append(endpoint.request.path)
        self.assertions.append(assertion)
        await asyncio.sleep(0)
        ends = datetime.fromtimestamp(self.clock.now(), UTC) + timedelta(seconds=HOUR)
        return InstallationToken(token=f"ghs_{len(self.paths)}", expires_at=ends)


def app(mint: Mint, env: dict[str, str] | None = None, installation: str = "42") -> AppTokens:
    given = {"TRUNKLINE_GITHUB_APP_PRIVATE_KEY": PEM} if env is None else env
    return AppTokens(
        app_id="Iv1.abc",
        installation_id=installation,
        private_key=LiveSecret("TRUNKLINE_GITHUB_APP_PRIVATE_KEY", env=given),
        perform=mint,
        clock=mint.clock,
    )


def claims(assertion: str) -> dict[str, object]:
    """Verify the signature alone: the clock of the test stands elsewhere."""
    read: dict[str, object] = jwt.decode(
        assertion,
        KEY.public_key(),
        algorithms=["RS256"],
        options={"verify_exp": False, "verify_iat": False},
    )
    return read


async def test_a_token_is_minted_for_the_installation_with_a_signed_claim() -> None:
    """Issued a minute ago, ending in nine, in the App's name, verified with its public key."""
    mint = Mint(FakeClock())
    assert (await app(mint).get()).value == "ghs_1"
    assert mint.paths == ["/app/installations/42/access_tokens"]
    now = int(mint.clock.now())
    assert claims(mint.assertions[0]) == {"iat": now - 60, "exp": now + 540, "iss": "Iv1.abc"}


async def test_a_token_is_kept_until_five_minutes_before_its_end() -> None:
    """One minting an hour."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    await tokens.get()
    mint.clock.advance(HOUR - 301)
    assert (await tokens.get()).value == "ghs_1"
    mint.clock.advance(1)
    assert (await tokens.get()).value == "ghs_2"


async def test_all_tokens_of_an_installation_are_one_account() -> None:
    """Whoever minted them, GitHub counts their writes together; the name tells nothing."""
    mint = Mint(FakeClock())
    first = await app(mint).get()
    second = await app(mint).get()
    assert first.fingerprint != second.fingerprint
    assert first.account == second.account != first.fingerprint
    assert "42" not in first.account


async def test_however_many_wait_one_token_is_minted() -> None:
    """Single flight."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    with anyio.fail_after(5):
        got = await asyncio.gather(*(tokens.get() for _ in range(20)))
    assert {token.value for token in got} == {"ghs_1"}
    assert len(mint.paths) == 1


async def test_a_brand_new_token_that_is_refused_is_tried_again_after_1_2_and_4_seconds() -> None:
    """GitHub's replicas learn of it late; 403 happens as well as 401."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    token = await tokens.get()
    assert await tokens.renewed(token, status=401, refusals=1) == token
    assert await tokens.renewed(token, status=403, refusals=2) == token
    assert await tokens.renewed(token, status=401, refusals=3) == token
    assert await tokens.renewed(token, status=401, refusals=4) is None
    assert mint.clock.slept == [1, 2, 4]
    assert len(mint.paths) == 1


@pytest.mark.requirement("github.tokens")
async def test_an_older_token_that_is_refused_is_dropped_and_minted_once() -> None:
    """It was revoked; a second refusal is final."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    token = await tokens.get()
    mint.clock.advance(10)
    renewed = await tokens.renewed(token, status=401, refusals=1)
    assert renewed is not None
    assert renewed.value == "ghs_2"
    mint.clock.advance(10)
    assert await tokens.renewed(renewed, status=401, refusals=2) is None


async def test_of_many_refused_at_once_one_mints() -> None:
    """Each gets the new token."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    token = await tokens.get()
    mint.clock.advance(60)
    with anyio.fail_after(5):
        renewed = await asyncio.gather(
            *(tokens.renewed(token, status=401, refusals=1) for _ in range(5))
        )
    assert {t.value for t in renewed if t} == {"ghs_2"}
    assert len(mint.paths) == 2


async def test_an_older_token_without_permission_is_kept() -> None:
    """A 403 is not cured by another token."""
    mint = Mint(FakeClock())
    tokens = app(mint)
    token = await tokens.get()
    mint.clock.advance(60)
    assert await tokens.renewed(token, status=403, refusals=1) is None
    assert await tokens.get() == token


@pytest.mark.parametrize(
    ("env", "installation", "variable"),
    [
        ({}, "42", "TRUNKLINE_GITHUB_APP_PRIVATE_KEY"),
        (None, "", "TRUNKLINE_GITHUB_APP_INSTALLATION_ID"),
        (None, "4/2", "TRUNKLINE_GITHUB_APP_INSTALLATION_ID"),
    ],
)
async def test_an_app_with_a_part_missing_names_it(
    env: dict[str, str] | None, installation: str, variable: str
) -> None:
    """CREDENTIALS_MISSING, before anything is sent."""
    mint = Mint(FakeClock())
    with pytest.raises(CredentialsMissing) as caught:
        await app(mint, env, installation).get()
    assert variable in str(caught.value.hint)
    assert mint.paths == []


async def test_a_failed_minting_says_that_the_request_itself_was_held_back() -> None:
    """So a write that waited for the token may be tried again."""

    async def fails(_: Endpoint[InstallationToken], __: str) -> InstallationToken:
        raise NetworkError("cut", details={"phase": "exchange", "host": "x"})

    tokens = AppTokens(
        app_id="1",
        installation_id="42",
        private_key=LiveSecret("KEY", env={"KEY": PEM}),
        perform=fails,
        clock=FakeClock(),
    )
    with pytest.raises(NetworkError) as caught:
        await tokens.get()
    assert caught.value.details == {"phase": "held", "host": "x"}


@pytest.mark.parametrize(
    "text",
    [
        PEM,
        PEM.replace("\n", "\\n"),
        PEM.replace("\n", "\\r\\n"),
        f"\n  {PEM}\n",
        KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    ],
)
def test_a_key_is_understood_in_every_usual_form(text: str) -> None:
    """PKCS#1 and PKCS#8, line breaks real or written out."""
    assert claims(AppKey().assertion(text, "1", 1e9))["iss"] == "1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a key",
        "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----",
        ec
        .generate_private_key(ec.SECP256R1())
        .private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        .decode(),
        KEY.private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"password")
        ).decode(),
    ],
)
def test_an_unusable_key_is_named_and_not_shown(text: str) -> None:
    """AUTH_ERROR with the variable and its file form."""
    with pytest.raises(AuthError, match="TRUNKLINE_GITHUB_APP_PRIVATE_KEY") as caught:
        AppKey().assertion(text, "1", 1e9)
    assert "_FILE" in str(caught.value.hint)
    assert "BEGIN" not in caught.value.message


def test_a_key_is_parsed_once_and_never_shown() -> None:
    """Parsing costs 90 ms; a replaced key replaces the parsed one."""
    key = AppKey()
    key.assertion(PEM, "1", 1e9)
    parsed = key.parsed[PEM]
    key.assertion(PEM, "1", 1e9)
    assert key.parsed == {PEM: parsed}
    assert "PRIVATE KEY" not in repr(key)
