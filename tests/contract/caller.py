"""A plain aiohttp client of an API: no retries, no redirects, nothing of ours."""

import json as stdlib_json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import aiohttp


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer as it came; `json` is None when it was empty."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        return stdlib_json.loads(self.text) if self.text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody with a token (empty: nobody) and a base URL."""

    session: aiohttp.ClientSession
    base: str
    token: str = ""

    async def ask(self, method: str, path: str, json: object = None, **headers: str) -> Reply:
        """Send one request; keyword names become header names."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        url = path if path.startswith("http") else self.base + path
        async with self.session.request(
            method, url, json=json, headers=sent, allow_redirects=False
        ) as response:
            return Reply(
                status=response.status, headers=response.headers, text=await response.text()
            )

    def using(self, token: str) -> "Caller":
        return replace(self, token=token)
