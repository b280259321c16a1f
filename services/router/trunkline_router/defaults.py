"""What a read was not told, found on the machine of the one who asks; a write is never guessed."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from trunkline_router.binding import arguments_of
from trunkline_router.catalogue.tool_schema import properties_of, typed
from trunkline_router.context import Value, is_blank, key_of
from trunkline_router.model import Call, Era, Json, Request, ToolSpec, Unheard
from trunkline_router.pipeline import Next
from trunkline_router.ports import Catalog
from trunkline_router.view import View
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.errors import TrunklineError

_SETTINGS = "settings"
_SOURCE_S = 3.0
_OWN_OBJECTS = ("pr_number", "issue_number", "comment_id", "branch", "issue_key")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """Fills the needs of reads by their policy's `defaults`, afresh for each call.

    Only what servers in `trusted` declare is followed. `repository` tells the default
    `owner/repo`, or nothing. `margin_s` is seconds.
    """

    catalog: Catalog
    clock: Clock
    trusted: frozenset[str]
    repository: Callable[[], str]
    margin_s: float

    async def fill(self, call: Call, relay: Next) -> Call:
        """Return the call with what could be found; the rest its server will ask for."""
        tool = call.tool
        if tool is None or not tool.policy.defaults:
            return call
        if tool.writes or tool.server not in self.trusted:
            return call
        sources = _Sources(defaults=self, call=call, relay=relay)
        found: Json = {}
        for need in tool.policy.needs:
            found |= await _needed(need, tool, _Known.of(call, found), sources)
        if not found:
            return call
        return replace(call, arguments=arguments_of(call) | found, defaulted=tuple(found))


async def _needed(need: str, tool: ToolSpec, known: "_Known", sources: "_Sources") -> Json:
    """Return the argument that fills a need, under the tool's own name; nothing if none does."""
    names = need.split("|")
    if any(known.has(name) for name in names):
        return {}
    properties = properties_of(tool.definition)
    spelled = {key_of(name) or name: name for name in properties}
    for name in names:
        source, own = tool.policy.defaults.get(name), spelled.get(key_of(name) or name)
        value = await sources.value(source, known) if source and own else None
        if own and value is not None:
            return {own: typed(value, properties[own])}
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What a call is told so far, by key: its arguments, and what its context binds."""

    arguments: Mapping[str, object]
    bound: Mapping[str, Value]

    @classmethod
    def of(cls, call: Call, found: Json) -> "_Known":
        given = {k: v for k, v in (arguments_of(call) | found).items() if not is_blank(v)}
        by_key = {key_of(name) or name: value for name, value in given.items()}
        return cls(arguments=by_key, bound=dict(call.request.context.bindings))

    def has(self, name: str) -> bool:
        return (key_of(name) or name) in self.arguments

    @property
    def owner(self) -> str:
        """The owner in lower case; empty when none is named."""
        owner, slash, _ = self._repo.partition("/")
        return str(self._of("owner") or (owner if slash else "")).lower()

    @property
    def repo(self) -> str:
        """The repository's name in lower case, without the owner; empty when none is named."""
        return self._repo.rpartition("/")[2].lower()

    @property
    def names_owner_in_repo(self) -> bool:
        return "/" in self._repo

    @property
    def _repo(self) -> str:
        return str(self._of("repo") or "")

    def _of(self, key: str) -> object:
        return self.arguments.get(key) or self.bound.get(key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """Where one call's defaults come from; each tool is asked once."""

    defaults: Defaults
    call: Call
    relay: Next
    _asked: dict[str, Json] = field(default_factory=dict)

    async def value(self, source: str, known: _Known) -> Value | None:
        place, _, name = source.partition("#")
        if place == _SETTINGS:
            return self._setting(name, known)
        if not self._is_local(known):
            return None
        if place not in self._asked:
            self._asked[place] = await self._ask(place)
        value = self._asked[place].get(name)
        if not isinstance(value, str | int) or isinstance(value, bool) or is_blank(value):
            return None
        return value

    def _setting(self, name: str, known: _Known) -> str | None:
        owner, _, repo = self.defaults.repository().partition("/")
        if name == "github_owner" and not known.names_owner_in_repo:
            return owner or None
        if name == "github_name" and known.owner in {"", owner.lower()}:
            return repo or None
        return None

    def _is_local(self, known: _Known) -> bool:
        """Say whether the checkout here tells anything about what the call asks for.

        It does not for another repository, nor for a context that names an object of its own.
        """
        if any(key in known.bound for key in _OWN_OBJECTS):
            return False
        owner, _, repo = self.defaults.repository().lower().partition("/")
        return known.owner in {"", owner} and known.repo in {"", repo}

    async def _ask(self, place: str) -> Json:
        """Return what a tool of another server answers, or nothing when it cannot."""
        server, _, name = place.partition(".")
        seen = self.call.request.view
        permitted = View(rights=seen.rights, holds=seen.holds)
        tools = self.defaults.catalog.directory(permitted).tools.values()
        tool = next((t for t in tools if (t.server, t.name) == (server, name)), None)
        if tool is None or tool.writes:
            return {}
        try:
            async with asyncio.timeout(_SOURCE_S):
                outcome = await self.relay(self._question(tool))
        except (TrunklineError, Refused, TimeoutError):
            return {}
        answer = outcome.whole.get("structuredContent")
        return answer if isinstance(answer, dict) and not outcome.is_error else {}

    def _question(self, tool: ToolSpec) -> Call:
        now = self.defaults.clock.monotonic()
        params: Json = {"name": tool.name, "arguments": {}}
        request = Request(
            id=self.call.request.id,
            method="tools/call",
            params=params,
            era=Era.LEGACY,
            channel=Unheard(),
            received=now,
            view=View(context=self.call.request.context),
        )
        return Call(
            request=request,
            caller=self.call.caller,
            server=tool.server,
            name=tool.name,
            timeout_s=_SOURCE_S,
            deadline=min(self.call.deadline, now + _SOURCE_S + self.defaults.margin_s),
            tool=tool,
        )
