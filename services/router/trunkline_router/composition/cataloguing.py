"""The catalogue and its pins, made from one plan."""

from trunkline_router.adapters.lister import Lister
from trunkline_router.adapters.live_catalog import LiveCatalog
from trunkline_router.adapters.pin_book import PinBook
from trunkline_router.adapters.pinning import Pinning
from trunkline_router.adapters.remembered import Remembered
from trunkline_router.composition.plan import Plan
from trunkline_router.edges.pins import PinsPage
from trunkline_router.ports import TokenVerifier, Upstream


def catalog_of(plan: Plan, upstream: Upstream) -> LiveCatalog:
    """Return the catalogue of the plan's servers, which knows nothing yet."""
    memory = Remembered(records=plan.store.records)
    return LiveCatalog(
        lister=Lister(upstream=upstream),
        fleet=plan.fleet,
        memory=memory,
        pinning=Pinning(memory=memory),
        clock=plan.clock,
        pace=plan.around.terms.pace,
        prefix=lambda: plan.live.now.router.prefix,
    )


def pins_of(plan: Plan, catalog: LiveCatalog, tokens: TokenVerifier) -> PinsPage:
    """Return what shows and approves changed tools to the callers that `tokens` knows."""
    book = PinBook(catalog=catalog, pinning=catalog.pinning)
    return PinsPage(book=book, tokens=tokens, limits=plan.limits)
