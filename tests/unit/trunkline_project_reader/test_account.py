"""Which account is asked, and where."""

import pytest

from trunkline_project_reader.basecamp.opening import open_basecamp
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.cursor import Cursors
from trunkline_shared.settings import load
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Account
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

HREF = "https://somewhere.basecampapi.com/12"


async def asked(**settings: object) -> tuple[str, str]:
    """Return the id and the address of the account that a Basecamp with these settings asks."""
    clock = FakeClock()
    given = load(ProjectReaderSettings, settings)
    cursors = Cursors(SigningKeys((b"a key of this test only",)))
    async with open_basecamp(given, in_process_store(clock), cursors, clock) as basecamp:
        account = await basecamp.account()
    return account.id, account.address.base


async def test_a_configured_account_lies_under_the_address_of_the_api(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody is asked for it."""
    monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", "a-token")
    found = await asked(basecamp_account_id="7", basecamp_token_url="http://127.0.0.1:9/token")
    assert found == ("7", "https://3.basecampapi.com/7")


@pytest.mark.parametrize(
    ("settings", "address"),
    [({}, HREF), ({"basecamp_api_url": "https://proxy.example"}, "https://proxy.example/12")],
)
async def test_a_found_account_is_asked_where_basecamp_says_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, object], address: str
) -> None:
    """Its `href` is its address; an operator's own address goes before it."""
    monkeypatch.delenv("BASECAMP_ACCOUNT_ID", raising=False)
    monkeypatch.delenv("BASECAMP_REFRESH_TOKEN", raising=False)
    async with AuthorizationStandIn() as authorization:
        authorization.grants.accounts = [Account(id=12, name="Acme", href=HREF)]
        granted = authorization.grants.authorize()
        monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", granted.access_token)
        token_url = f"{authorization.url}/authorization/token"
        assert await asked(basecamp_token_url=token_url, **settings) == ("12", address)
