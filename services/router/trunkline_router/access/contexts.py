"""`POST /contexts`: what a job may do, minted into a token; never more than who asks for it may."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.job_tokens import Grant, JobTokens
from trunkline_router.access.repositories import RepositoryGuard
from trunkline_router.configuration.tool_globs import NAMES_BEGIN, may_begin
from trunkline_router.context import Context, InvalidContext
from trunkline_router.model import Caller, Json
from trunkline_router.rights import Rights
from trunkline_router.wire.refusal import nearest_to
from trunkline_shared.clock import Clock

DEFAULT_TTL_S = 3600.0
LONGEST_TTL_S = 24 * 3600.0
_MOST_GLOBS = 64
_LONGEST_GLOB = 200
_LONGEST_TOKEN = 6000
_SHOWN = 100

_Glob = Annotated[str, Field(min_length=1, max_length=_LONGEST_GLOB)]


class ContextRefused(Exception):
    """A job token that cannot be had; `fix` says what to send instead."""

    def __init__(
        self, message: str, fix: str, *, key: str = "", value: object = None, status: int = 400
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"error": message, "fix": fix}
        if key:
            self.body |= {"key": key, "value": value}


class Wanted(BaseModel):
    """What is asked for: bindings, globs over `mcp__{server}__{tool}`, and seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bind: dict[str, object] = {}
    tools: Annotated[list[_Glob], Field(min_length=1, max_length=_MOST_GLOBS)] | None = None
    ttl_s: Annotated[float, Field(ge=1, le=LONGEST_TTL_S)] = DEFAULT_TTL_S
    scopes: Annotated[list[Literal["tools", "observe"]], Field(min_length=1)] = ["tools"]


def read_wanted(body: object) -> Wanted:
    """Read the body of a request. Raises ContextRefused."""
    if not isinstance(body, dict):
        raise ContextRefused(
            "The body must be a JSON object.",
            'Send {"bind": {"pr_number": 12}, "tools": ["mcp__github_ci__*"], "ttl_s": 3600}.',
        )
    try:
        wanted = Wanted.model_validate(body)
    except ValidationError as error:
        raise _misread(error.errors(include_url=False)[0]) from None
    for number, glob in enumerate(wanted.tools or ()):
        if not may_begin(glob, NAMES_BEGIN):
            raise ContextRefused(
                f"tools.{number}={glob!r} matches no tool: their names are mcp__SERVER__TOOL.",
                f"Write mcp__SERVER__TOOL, such as mcp__github_ci__*, in place of {glob!r}.",
                key=f"tools.{number}",
                value=glob,
            )
    return wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """Mints job tokens; `url` is where their holders reach the mesh."""

    tokens: JobTokens = field(repr=False)
    keys: KeyRing
    repositories: RepositoryGuard
    clock: Clock
    url: str

    def minted(self, caller: Caller, wanted: Wanted) -> Json:
        """Return `{token, url, expires_at}`. Raises ContextRefused."""
        rest_s = caller.until - self.clock.monotonic()
        grant = Grant(
            subject=caller.subject,
            scopes=_scopes(caller, wanted),
            context=self._context(caller, wanted),
            expires=self.clock.now() + min(wanted.ttl_s, rest_s),
            key=caller.key,
            mark=self.keys.mark_of(caller.key),
            rights=_narrowed(self.keys.beyond(caller), wanted),
            searches=caller.searches,
            depth=caller.depth,
        )
        token = self.tokens.minted(grant)
        if len(token) > _LONGEST_TOKEN:
            raise ContextRefused(
                f"The token would have {len(token)} characters, more than a header may.",
                "Name fewer globs, or wider ones.",
                key="tools",
            )
        expires_at = datetime.fromtimestamp(math.floor(grant.expires), UTC)
        return {
            "token": token,
            "url": self.url,
            "expires_at": expires_at.isoformat().replace("+00:00", "Z"),
        }

    def _context(self, caller: Caller, wanted: Wanted) -> Context:
        try:
            context = Context.of(wanted.bind.items())
        except InvalidContext as fault:
            raise ContextRefused(
                str(fault), "Correct bind.", key="bind", value=_shown(wanted.bind)
            ) from None
        for key, value in context.bindings:
            if not caller.context.allows(key, value):
                held = caller.context.get(key)
                raise ContextRefused(
                    f"bind.{key}={value!r} is outside what your own key is bound to: {key} {held}.",
                    f"Leave {key} out, or bind it to {held!r}.",
                    key=f"bind.{key}",
                    value=value,
                    status=HTTPStatus.FORBIDDEN,
                )
        bound = self._within(caller, context)
        if reason := self.repositories.refused(bound):
            slug = f"{bound.get('owner') or '*'}/{bound.get('repo') or '*'}"
            raise ContextRefused(
                reason,
                "Bind a repository that TRUNKLINE_ALLOWED_REPOS allows.",
                key="bind.repo",
                value=slug,
                status=HTTPStatus.FORBIDDEN,
            )
        return bound

    def _within(self, caller: Caller, context: Context) -> Context:
        """Return what both bind; a pull request's number contradicts another issue's."""
        try:
            return context.within(caller.context)
        except InvalidContext as fault:
            raise ContextRefused(
                f"bind contradicts what your own key is bound to: {fault}",
                f"Your key is bound to {caller.context}.",
                key="bind",
                value=_shown(dict(context.bindings)),
                status=HTTPStatus.FORBIDDEN,
            ) from None


def _narrowed(rights: Rights, wanted: Wanted) -> Rights:
    """Return rights with the globs that are asked for, which hold whatever else the key gets."""
    return rights if wanted.tools is None else rights.narrowed(tuple(dict.fromkeys(wanted.tools)))


def _scopes(caller: Caller, wanted: Wanted) -> frozenset[str]:
    asked = frozenset[str](wanted.scopes)
    lacking = sorted(asked - caller.scopes)
    if lacking:
        raise ContextRefused(
            f"scopes: you do not have {', '.join(lacking)} yourself.",
            f"Ask for {', '.join(sorted(asked & caller.scopes)) or 'nothing'}, or use another key.",
            key="scopes",
            value=sorted(asked),
            status=HTTPStatus.FORBIDDEN,
        )
    return asked


def _misread(error: ErrorDetails) -> ContextRefused:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        near = nearest_to(where, Wanted.model_fields)
        known = ", ".join(Wanted.model_fields)
        fix = f"Did you mean {near}? Known: {known}." if near else f"Known: {known}."
        return ContextRefused(
            f"Unknown key {where!r}.", fix, key=where, value=_shown(error["input"])
        )
    shown = _shown(error["input"])
    return ContextRefused(
        f"{where}={shown}: {error['msg']}.", _FIXES[str(error["loc"][0])], key=where, value=shown
    )


def _shown(value: object) -> str:
    return f"{value!r}"[:_SHOWN]


_FIXES: Mapping[str, str] = {
    "bind": 'Send an object, such as {"owner": "acme", "repo": "widgets", "pr_number": 12}.',
    "tools": f"Send 1 to {_MOST_GLOBS} globs such as mcp__github_ci__*, or leave tools out.",
    "ttl_s": f"Send seconds, 1 to {LONGEST_TTL_S:.0f}; {DEFAULT_TTL_S:.0f} when left out.",
    "scopes": "Send tools, observe, or both; tools when left out.",
}
