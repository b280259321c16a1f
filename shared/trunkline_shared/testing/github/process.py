"""One request from its headers to its answer, as GitHub's front door treats it."""

import hashlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus

import orjson

from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conditional import revalidated
from trunkline_shared.testing.github.people import Budget, Token
from trunkline_shared.testing.github.state import State
from trunkline_shared.testing.github.urls import Urls
from trunkline_shared.testing.stand_in.log import Received

DEFAULT_VERSION = "2022-11-28"
VERSIONS = (DEFAULT_VERSION, "2026-03-10")
GONE_SINCE_2026 = frozenset({"assignee", "merge_commit_sha", "rate"})
UNCOUNTED = frozenset({"/rate_limit"})


DOTS_OF_A_JWT = 2


def is_signed(credential: str) -> bool:
    """Say whether a credential is what an App signs for itself: a JSON web token."""
    return credential.count(".") == DOTS_OF_A_JWT


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """A request that found its route; `credential` is what stood in `Authorization`."""

    route: Route
    received: Received
    credential: str
    target: str
    path: Mapping[str, str]
    lag: int = 0


@dataclass(slots=True, kw_only=True)
class FrontDoor:
    """Checks, authenticates, counts, calls the route and dresses its answer."""

    state: State
    urls: Urls
    _requests: "itertools.count[int]" = field(default_factory=itertools.count)

    def answer(self, inquiry: Inquiry) -> Answer:
        """Return the whole answer, headers included."""
        budget = self.budget_of(inquiry.credential)
        try:
            answer = self._admitted(inquiry, self._token_of(inquiry.credential), budget)
        except Refusal as refusal:
            answer = refusal.answer()
        if answer.status != HTTPStatus.NOT_MODIFIED and inquiry.received.path not in UNCOUNTED:
            budget.count()
        return replace(answer, headers={**self.standard_headers(budget), **answer.headers})

    def budget_of(self, credential: str) -> Budget:
        """Return the budget that a request with this credential draws on."""
        token = self._token_of(credential)
        nobody = self.state.apps if is_signed(credential) else self.state.anonymous
        budget = nobody if token is None else token.budget
        budget.renew(self.state.ledger.clock.now())
        return budget

    def _token_of(self, credential: str) -> Token | None:
        token = self.state.tokens.get(credential)
        accepted = token is not None and token.accepted(self.state.ledger.clock.now())
        return token if accepted else None

    def exhaust(self, credential: str, reset_in_s: float) -> None:
        """Leave nothing of the budget behind a credential for `reset_in_s` seconds."""
        self.budget_of(credential).exhaust(self.state.ledger.clock.now() + reset_in_s)

    def standard_headers(self, budget: Budget) -> dict[str, str]:
        """Return the headers that every answer of GitHub has."""
        digest = hashlib.sha256(str(next(self._requests)).encode()).hexdigest().upper()
        return {
            "content-type": "application/json; charset=utf-8",
            "x-github-media-type": "github.v3; format=json",
            "x-github-request-id": ":".join((digest[:4], digest[4:10], digest[10:18])),
            "x-ratelimit-limit": str(budget.limit),
            "x-ratelimit-remaining": str(budget.remaining),
            "x-ratelimit-used": str(budget.used),
            "x-ratelimit-reset": str(int(budget.resets_at)),
            "x-ratelimit-resource": "core",
        }

    def _admitted(self, inquiry: Inquiry, token: Token | None, budget: Budget) -> Answer:
        headers = inquiry.received.headers
        version = _version(headers)
        if inquiry.route.credential == "token" and inquiry.credential and token is None:
            raise Refusal(401, "Bad credentials")
        if budget.remaining == 0 and inquiry.received.path not in UNCOUNTED:
            raise Refusal(403, f"API rate limit exceeded for {_who(token)}.")
        call = Call(
            state=self.state,
            urls=self.urls,
            token=token,
            credential=inquiry.credential,
            version=version,
            method=inquiry.received.method,
            target=inquiry.target,
            path=inquiry.path,
            query=dict(inquiry.received.query),
            body=_json_object(inquiry.received),
            accept=headers.get("accept", ""),
            lag=inquiry.lag,
        )
        answer = _in_version(inquiry.route.handle(call), version)
        answer = replace(
            answer, headers={**answer.headers, "x-github-api-version-selected": version}
        )
        if inquiry.received.method == "GET" and answer.status == HTTPStatus.OK:
            return revalidated(answer, headers, inquiry.credential)
        return answer


def _version(headers: Mapping[str, str]) -> str:
    if not headers.get("user-agent"):
        raise Refusal(
            403,
            "Request forbidden by administrative rules. Please make sure your request has a "
            "User-Agent header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api"
            "#user-agent-required). Check https://developer.github.com for other possible causes.",
        )
    if not _acceptable(headers.get("accept", "*/*")):
        raise Refusal(415, "Unsupported 'Accept' header. Must accept 'application/json'.")
    version = headers.get("x-github-api-version", DEFAULT_VERSION)
    if version not in VERSIONS:
        raise Refusal(400, f"The API version {version!r} is not supported: {', '.join(VERSIONS)}")
    return version


def _acceptable(accept: str) -> bool:
    offered = ("*/*", "application/*", "application/json", "application/vnd.github")
    return any(one.strip().startswith(offered) for one in accept.split(","))


def _who(token: Token | None) -> str:
    if token is None:
        return "127.0.0.1"
    if token.installation is not None:
        return f"installation ID {token.installation.id}"
    return f"user ID {token.user.id}"


def _json_object(received: Received) -> Mapping[str, object]:
    if not received.body:
        return {}
    try:
        body: object = orjson.loads(received.body)
    except orjson.JSONDecodeError as error:
        raise Refusal(400, "Problems parsing JSON") from error
    if not isinstance(body, dict):
        raise Refusal(400, "Body should be a JSON object")
    return body


def _in_version(answer: Answer, version: str) -> Answer:
    if version == DEFAULT_VERSION:
        return answer
    return replace(answer, json=_without_removed(answer.json))


def _without_removed(value: object) -> object:
    if isinstance(value, dict):
        return {
            key: _without_removed(one) for key, one in value.items() if key not in GONE_SINCE_2026
        }
    if isinstance(value, list):
        return [_without_removed(one) for one in value]
    return value
