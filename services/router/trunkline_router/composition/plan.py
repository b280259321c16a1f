"""What the router is made from: settings, configuration, store, and what its runner gives it."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_router.access import browser_sessions
from trunkline_router.access.api_keys import KeyRing
from trunkline_router.access.browser_sessions import BrowserSessions
from trunkline_router.access.job_tokens import PURPOSE, JobTokens
from trunkline_router.access.recent_audit import RecentAudit
from trunkline_router.adapters.links.opening import Links
from trunkline_router.adapters.live_catalog import Pace
from trunkline_router.composition.openings import Openings
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.live import Live
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.share import Share
from trunkline_router.fleet import Fleet
from trunkline_router.listening import base_of
from trunkline_router.measures.sender import Sender
from trunkline_router.model import Limits
from trunkline_router.span import Span
from trunkline_router.telemetry.pending import Consumer
from trunkline_router.webhooks.secrets import WebhookSecrets
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.departure import Departure
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Bounds and rhythms that tests tighten and operators leave alone.

    `look_s` is how often the configuration's files are looked at; seconds.
    """

    limits: Limits = field(default_factory=Limits)
    pace: Pace = field(default_factory=Pace)
    look_s: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One worker's place among those that share a port.

    `folder` holds the socket at which each of them tells the others what it knows; nobody else can
    enter it. `complete` is set when all of them have been ready.
    """

    share: Share
    openings: Openings
    folder: Path
    complete: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What whoever runs the router gives it besides settings.

    `spans` are told of each span as it ends, `exporters` of many at a time; without `observes`
    nothing else is made of them. `metrics` sends what is measured. `repository` tells the default
    `owner/repo` where the starter finds it out only later. Without `configuration`, the file is
    read that the settings name; without `store`, the one is opened that the environment names.
    `reread` reads the settings again, for what stands in files of its own; `reload`, once set, has
    all of it read now. `seat` is there for one of several workers.
    """

    clock: Clock = field(default_factory=SystemClock)
    spans: Sequence[Callable[[Span], object]] = ()
    exporters: Sequence[Consumer] = ()
    metrics: Sender | None = None
    observes: bool = True
    repository: Callable[[], str] | None = None
    terms: Terms = field(default_factory=Terms)
    configuration: Configuration | None = None
    store: Store | None = None
    departure: Departure = field(default_factory=Departure)
    reread: Callable[[], RouterSettings] | None = None
    reload: asyncio.Event = field(default_factory=asyncio.Event)
    seat: Seat | None = None

    @property
    def share(self) -> Share:
        """How much of what is promised is this process' part."""
        return Share() if self.seat is None else self.seat.share


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that the parts are made from.

    `live` is the configuration, which may be replaced at any time: parts keep `live`, and read
    `live.now` for each request.
    """

    settings: RouterSettings
    live: Live[Configuration]
    keys: KeyRing
    on: socket.socket
    store: Store
    around: Surroundings
    signing: SigningKeys
    links: Links
    mesh_headers: dict[str, str] = field(repr=False)
    webhook_secrets: WebhookSecrets
    fleet: Fleet
    recent_audit: RecentAudit = field(default_factory=RecentAudit)

    @property
    def clock(self) -> Clock:
        return self.around.clock

    @property
    def limits(self) -> Limits:
        return self.around.terms.limits

    @property
    def base(self) -> str:
        """The router's public URL, without a slash at its end."""
        return (self.settings.public_url or base_of(self.on)).rstrip("/")

    @property
    def tokens(self) -> JobTokens:
        return JobTokens(keys=self.signing.derived(PURPOSE), base=self.base, clock=self.clock)

    @property
    def browser_sessions(self) -> BrowserSessions:
        keys = self.signing.derived(browser_sessions.PURPOSE)
        return BrowserSessions(keys=keys, clock=self.clock)
