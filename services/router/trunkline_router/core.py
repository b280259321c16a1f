"""One request from its caller to its outcome: admit, stages, relay."""

from dataclasses import dataclass

from trunkline_router.binding import bind
from trunkline_router.catalogue.search_definitions import SEARCH
from trunkline_router.defaults import Defaults
from trunkline_router.gates import Admission
from trunkline_router.model import Call, Caller, Json, Outcome, Request
from trunkline_router.pipeline import Next
from trunkline_router.ports import Catalog, TokenVerifier, Updates
from trunkline_router.span import Recorder, Span
from trunkline_router.standing import Standing, completed
from trunkline_router.subscriptions import Subscriptions
from trunkline_router.tool_search import ToolSearch
from trunkline_router.tracing import note_call, note_defaults, note_outcome, note_target


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What both eras share; an era only reads requests and writes answers."""

    tokens: TokenVerifier
    catalog: Catalog
    admission: Admission
    recorder: Recorder
    relay: Next
    defaults: Defaults | None
    subscriptions: Subscriptions
    standing: Standing
    search: ToolSearch

    @classmethod
    def of(
        cls,
        *,
        standing: Standing,
        admission: Admission,
        relay: Next,
        updates: Updates,
        recorder: Recorder,
        defaults: Defaults | None = None,
    ) -> "Core":
        """Put the parts together; without `defaults`, no argument is ever added."""
        catalog = admission.catalog
        return cls(
            tokens=standing.tokens,
            standing=standing,
            search=ToolSearch(catalog=catalog),
            catalog=catalog,
            admission=admission,
            recorder=recorder,
            relay=relay,
            defaults=defaults,
            subscriptions=Subscriptions(catalog=catalog, updates=updates, clock=recorder.clock),
        )

    async def listened(self, request: Request, caller: Caller) -> Json:
        """Serve a subscription until its client leaves, or it is ended: then return its result.

        Raises Refused when the caller's token ends.
        """
        await self.standing.keep(request.bearer, caller, self.subscriptions.serve(request))
        return completed(request)

    async def relayed(self, request: Request, caller: Caller, span: Span) -> Outcome:
        """Send a request to its server. Raises Refused and TrunklineError.

        Where tools are found by searching, a search is answered here, and a use becomes the call.
        """
        if request.view.searches and request.method == "tools/call":
            if request.target == SEARCH:
                return await self.search.found(request)
            request = self.search.opened(request)
            note_target(span, request)
        admission = self.admission
        call = admission.found(request, caller) or await admission.admit(request, caller)
        note_call(span, call)
        return await admission.rules.performed(call, span, self._sent)

    async def _sent(self, call: Call, span: Span) -> Outcome:
        call = bind(call)
        if self.defaults is not None:
            call = await self.defaults.fill(call, self.relay)
            note_defaults(span, call)
        outcome = await self.relay(self.admission.rules.prepared(call))
        note_outcome(span, outcome)
        return outcome
