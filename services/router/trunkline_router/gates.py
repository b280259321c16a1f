"""The two gates: from a Request to a Caller, and from both to a Call."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import get_args

from mcp_types.jsonrpc import INVALID_PARAMS

from trunkline_router.access.rules import Rules
from trunkline_router.catalogue.directory import Directory
from trunkline_router.configuration.entries import Scope
from trunkline_router.context import InvalidContext
from trunkline_router.model import Call, Caller, Limits, Request
from trunkline_router.ports import Catalog, TokenVerifier
from trunkline_router.rights import EVERYTHING
from trunkline_router.view import WHOLE, View
from trunkline_router.wire import refusal
from trunkline_router.wire.mirrored import check_mirrored
from trunkline_shared import meta
from trunkline_shared.contracts import DEFAULT_TIMEOUT_S

_EVERY_SCOPE = frozenset(get_args(Scope))
_MOST_SEEN = 64

Find = Callable[[Request, Caller, Directory, float], Call | None]
"""Look a request's target up; the float is the margin in seconds on top of the tool's own time."""


async def authenticate(request: Request, tokens: TokenVerifier) -> Caller:
    """Say who asks, unless the edge knows. Raises Refused."""
    return request.caller or await tokens.verify(request.bearer)


def seen_by(caller: Caller, asked: View = WHOLE) -> View:
    """Return what of a view its caller sees. Raises InvalidContext where the two contradict."""
    known = caller.seen.get(asked)
    if known is None:
        known = _seen_by(caller, asked)
        if len(caller.seen) >= _MOST_SEEN:
            caller.seen.clear()
        # Of what it sees already, it sees all.
        caller.seen[asked] = caller.seen[known] = known
    return known


def _seen_by(caller: Caller, asked: View) -> View:
    holds = None if caller.scopes >= _EVERY_SCOPE else caller.scopes
    bounded = caller.context or caller.rights is not EVERYTHING or holds is not None
    if not bounded and not caller.searches:
        return asked
    return View(
        scope=asked.scope,
        context=asked.context.within(caller.context) if caller.context else asked.context,
        rights=caller.rights,
        searches=caller.searches or asked.searches,
        holds=holds,
    )


def under(request: Request, caller: Caller) -> Request:
    """Return a request under the narrower of its URL's context and its caller's, and its rights.

    Raises Refused, HTTP 403, where the two contradict each other.
    """
    try:
        view = seen_by(caller, request.view)
    except InvalidContext as fault:
        raise refusal.invalid_request(
            f"The URL's context is not the token's: {fault}", status=403
        ) from None
    return request if view is request.view else replace(request, view=view)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Decides whether a request may be sent, and where to."""

    catalog: Catalog
    limits: Limits
    rules: Rules = field(default_factory=Rules)

    async def admit(self, request: Request, caller: Caller) -> Call:
        """Return the call that a request asks for. Raises Refused when nothing has that name.

        A name that is not known makes the catalogue look again once: the server may be newer than
        what is known of it.
        """
        call = self.found(request, caller)
        if call is None and not _is_withheld(request, self.catalog.directory(request.view)):
            await self.catalog.look_again()
            call = self.found(request, caller)
        if call is None:
            kind, _ = _FINDERS[request.method]
            raise _unknown(kind, request, self.catalog.directory(request.view))
        return call

    def found(self, request: Request, caller: Caller) -> Call | None:
        """Return the call of a request by what is known now. Raises Refused."""
        self.rules.repositories.check_context(request.context)
        _, find = _FINDERS[request.method]
        directory = self.catalog.directory(request.view)
        return find(request, caller, directory, self.limits.margin_s)


def _is_withheld(request: Request, directory: Directory) -> bool:
    return request.method == "tools/call" and (
        request.target in directory.withheld or request.target in directory.held
    )


def _unknown(kind: str, request: Request, directory: Directory) -> refusal.Refused:
    if _is_withheld(request, directory):
        name = _named(request)
        if name in directory.held:
            return refusal.held_back(kind, name, directory.held[name].reason)
        return refusal.not_offered(kind, name, directory.withheld[name])
    known = {"tool": directory.tools, "prompt": directory.prompts, "resource": directory.resources}
    return refusal.unknown(kind, _named(request), known[kind], directory.missing)


def _named(request: Request) -> str:
    if request.method == "completion/complete":
        return _reference(request)[1]
    if request.target is None:
        key = "uri" if request.method == "resources/read" else "name"
        raise refusal.Refused(INVALID_PARAMS, f"params.{key} must be a string.")
    return request.target


def _find_tool(
    request: Request, caller: Caller, directory: Directory, margin_s: float
) -> Call | None:
    spec = directory.tools.get(_named(request))
    if spec is None:
        return None
    check_mirrored(request, spec)
    timeout_s = _time_for(request, caller, spec.policy.timeout_s)
    return Call(
        request=request,
        caller=caller,
        server=spec.server,
        name=spec.name,
        timeout_s=timeout_s,
        deadline=min(request.received + timeout_s + margin_s, caller.until),
        tool=spec,
    )


def _find_prompt(
    request: Request, caller: Caller, directory: Directory, margin_s: float
) -> Call | None:
    owned = directory.prompts.get(_named(request))
    return None if owned is None else _plain(request, caller, owned.server, owned.name, margin_s)


def _find_resource(
    request: Request, caller: Caller, directory: Directory, margin_s: float
) -> Call | None:
    uri = _named(request)
    owner = directory.owner_of(uri)
    return None if owner is None else _plain(request, caller, owner, uri, margin_s)


def _find_completion(
    request: Request, caller: Caller, directory: Directory, margin_s: float
) -> Call | None:
    kind, name = _reference(request)
    if kind == "ref/prompt":
        owned = directory.prompts.get(name)
        if owned is not None:
            return _plain(request, caller, owned.server, owned.name, margin_s)
        return None
    owner = directory.owner_of_template(name) or directory.owner_of(name)
    return None if owner is None else _plain(request, caller, owner, name, margin_s)


def _reference(request: Request) -> tuple[str, str]:
    ref = request.params.get("ref")
    given = ref if isinstance(ref, dict) else {}
    kind = given.get("type")
    name = given.get({"ref/prompt": "name", "ref/resource": "uri"}.get(str(kind), ""))
    if not isinstance(kind, str) or not isinstance(name, str):
        raise refusal.Refused(
            INVALID_PARAMS,
            "params.ref must be {type: ref/prompt, name} or {type: ref/resource, uri}.",
        )
    return kind, name


def _plain(request: Request, caller: Caller, server: str, name: str, margin_s: float) -> Call:
    timeout_s = _time_for(request, caller, DEFAULT_TIMEOUT_S)
    return Call(
        request=request,
        caller=caller,
        server=server,
        name=name,
        timeout_s=timeout_s,
        deadline=min(request.received + timeout_s + margin_s, caller.until),
    )


def _time_for(request: Request, caller: Caller, longest_s: float) -> float:
    """Return the seconds for a call; a server that asks in somebody's name may want fewer."""
    wanted = request.meta.get(meta.DEADLINE_MS) if caller.depth else None
    if isinstance(wanted, int | float) and wanted > 0:
        return min(wanted / 1000, longest_s)
    return longest_s


_FINDERS: dict[str, tuple[str, Find]] = {
    "tools/call": ("tool", _find_tool),
    "prompts/get": ("prompt", _find_prompt),
    "resources/read": ("resource", _find_resource),
    "completion/complete": ("prompt", _find_completion),
}
RELAYED = frozenset(_FINDERS)
