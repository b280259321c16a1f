"""Deliveries of webhooks as vendors send them: signed, with an id of their own."""

import hashlib
import hmac
import io
import uuid
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp
import orjson

from tests.interaction.mesh import Mesh, routing

GITHUB_SECRET = "the-secret-of-github-s-webhook"
BASECAMP_SECRET = "the-secret-in-basecamp-s-url"
JIRA_SECRET = "the-secret-of-the-webhook-of-jira"
SECRETS = {
    "github_webhook_secret": GITHUB_SECRET,
    "basecamp_webhook_secret": BASECAMP_SECRET,
    "jira_webhook_secret": JIRA_SECRET,
}
REPOSITORY: Mapping[str, object] = {
    "id": 1,
    "name": "Widgets",
    "full_name": "Acme/Widgets",
    "default_branch": "main",
}


def hooked(servers: Mapping[str, str], **given: Any) -> AbstractAsyncContextManager[Mesh]:
    """Run a router that takes deliveries of all vendors."""
    return routing(servers, **{**SECRETS, **given})


def signed(secret: str, body: bytes) -> str:
    """Return what stands in the header of a signature."""
    return f"sha256={hmac.digest(secret.encode(), body, hashlib.sha256).hex()}"


@dataclass(frozen=True, kw_only=True)
class Answered:
    status: int
    json: Any
    text: str


@dataclass(frozen=True, kw_only=True)
class Post:
    """A delivery on its way to a router; `changed` gives one that differs."""

    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)

    def changed(self, *, body: bytes | None = None, **headers: str | None) -> "Post":
        """Return it with other headers, whose names are written with underscores; None drops."""
        named = {name.replace("_", "-").lower(): value for name, value in headers.items()}
        kept = {k: v for k, v in self.headers.items() if k.lower() not in named}
        more = {name: value for name, value in named.items() if value is not None}
        return replace(self, body=self.body if body is None else body, headers=kept | more)

    async def to(self, mesh: Mesh) -> Answered:
        """Deliver it."""
        timeout = aiohttp.ClientTimeout(total=15)
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(
                mesh.url + self.path, data=io.BytesIO(self.body), headers=self.headers
            ) as answer,
        ):
            text = await answer.text()
            return Answered(status=answer.status, json=orjson.loads(text or "null"), text=text)


def github(event: str, payload: Mapping[str, object], secret: str = GITHUB_SECRET) -> Post:
    """Return an event of `acme/widgets`."""
    body = orjson.dumps({"repository": REPOSITORY, **payload})
    headers = {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": str(uuid.uuid4()),
        "X-GitHub-Hook-ID": "292430182",
        "X-Hub-Signature-256": signed(secret, body),
    }
    return Post(path="/webhooks/github", body=body, headers=headers)


def basecamp(kind: str, recording: Mapping[str, object], secret: str = BASECAMP_SECRET) -> Post:
    """Return an event of Basecamp about a recording of account 195, project 7."""
    about = {
        "url": f"https://3.basecampapi.com/195/buckets/7/todos/{recording.get('id')}.json",
        "bucket": {"id": 7, "type": "Project"},
        **recording,
    }
    body = orjson.dumps({"id": uuid.uuid4().int % 10**9, "kind": kind, "recording": about})
    headers = {"Content-Type": "application/json", "User-Agent": "Basecamp3 Webhook"}
    return Post(path=f"/webhooks/basecamp/{secret}", body=body, headers=headers)


def jira(event: str, payload: Mapping[str, object], secret: str = JIRA_SECRET) -> Post:
    """Return an event of a Jira site."""
    body = orjson.dumps({"timestamp": 1, "webhookEvent": event, **payload})
    headers = {
        "Content-Type": "application/json; charset=UTF-8",
        "X-Atlassian-Webhook-Identifier": str(uuid.uuid4()),
        "X-Hub-Signature": signed(secret, body),
    }
    return Post(path="/webhooks/jira", body=body, headers=headers)
