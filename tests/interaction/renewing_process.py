"""A process whose Basecamp token is refused: python -m ... TOKEN_URL REDIS_URL STATE_DIR.

It says each step on standard output, and at the end the fingerprint of the token that it then has.
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from tests.interaction.basecamp_tokens import AGENT, token_of
from trunkline_project_reader.tokens.discovery import discovery_at
from trunkline_project_reader.tokens.opening import open_tokens
from trunkline_project_reader.tokens.settings import BasecampTokenSettings
from trunkline_shared.clock import SystemClock
from trunkline_shared.http.client import open_http
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.record_port import LEASE_S, Record, Records
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.vendor.credential import fingerprint_of


def say(text: str) -> None:
    """Tell the test."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Telling:
    """Records that tell when this process asks for a hold."""

    records: Records

    @asynccontextmanager
    async def held(
        self, key: str, *, wait_s: float, lease_s: float = LEASE_S
    ) -> AsyncIterator[Record]:
        say("wants")
        async with self.records.held(key, wait_s=wait_s, lease_s=lease_s) as record:
            yield record

    async def read(self, key: str) -> bytes | None:
        return await self.records.read(key)


async def renew(token_url: str, redis_url: str, state_dir: str) -> None:
    """Ask for something with the configured token, and once more with the one in its place."""
    clock = SystemClock()
    store_settings = load(StoreSettings, {"redis_url": redis_url, "state_dir": state_dir})
    settings = load(BasecampTokenSettings, {"basecamp_token_url": token_url})
    async with open_http(clock) as http, open_store(store_settings) as opened:
        store = replace(opened, records=Telling(opened.records))
        async with open_tokens(settings, store, http, user_agent=AGENT, clock=clock) as tokens:
            discovery = discovery_at(token_url, tokens, http, user_agent=AGENT, clock=clock)
            authorization = await discovery.authorization()
            say(f"has {fingerprint_of(token_of(await tokens.get()))}")
            say(f"was let in as {authorization.identity.email_address}")


if __name__ == "__main__":
    asyncio.run(renew(*sys.argv[1:]))
