"""Somebody who asks a stand-in of Basecamp, without anything of ours in between."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import aiohttp

from tests.contract.caller import Caller, Reply
from trunkline_shared.testing.basecamp import Account, BasecampStandIn, Person, Project
from trunkline_shared.testing.fake_clock import FakeClock

RECORDING = {
    *("id", "status", "visible_to_clients", "created_at", "updated_at", "title"),
    *("inherits_status", "type", "url", "app_url", "bookmark_url", "parent", "bucket", "creator"),
}
COMMENTED = RECORDING | {"subscription_url", "comments_count", "comments_url"}

NOW = datetime(2026, 2, 8, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Asker:
    """An account with a project, and a person of it who asks."""

    caller: Caller
    account: Account
    project: Project
    me: Person

    async def get(self, path: str) -> Reply:
        """Ask for a path below the account, or for a whole URL."""
        where = path if path.startswith("http") else f"/{self.account.id}{path}"
        return await self.caller.ask("GET", where, User_Agent="Tests (tests@example.com)")


@asynccontextmanager
async def asking(session: aiohttp.ClientSession) -> AsyncIterator[Asker]:
    """Seed a stand-in, and open the way to it."""
    async with BasecampStandIn(clock=FakeClock(NOW.timestamp())) as stand_in:
        account = stand_in.state.add_account("Acme")
        me = account.add_person("Robin Reader")
        token = stand_in.state.add_token(me, "reader")
        yield Asker(
            caller=Caller(session=session, base=stand_in.url, token=token.secret),
            account=account,
            project=account.add_project("Widgets"),
            me=me,
        )
