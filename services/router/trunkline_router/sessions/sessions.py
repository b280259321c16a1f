"""The sessions of legacy clients put together: who is in one, and what is said in it."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from mcp_types.jsonrpc import INTERNAL_ERROR
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION

from trunkline_router.conversation import Dialect, converse, once
from trunkline_router.core import Core
from trunkline_router.model import Caller, Json, Limits, Request
from trunkline_router.sessions.answering import Answering, InSession
from trunkline_router.sessions.background import Background
from trunkline_router.sessions.calls import Calls
from trunkline_router.sessions.client_capabilities import capabilities_of, client_of
from trunkline_router.sessions.feeds import Feeds
from trunkline_router.sessions.kept_streams import KeptStreams
from trunkline_router.sessions.list_changes import ListChanges
from trunkline_router.sessions.questions import Questions
from trunkline_router.sessions.replica import Replica
from trunkline_router.sessions.resource_updates import ResourceUpdates
from trunkline_router.sessions.resuming import Resuming
from trunkline_router.sessions.rounds import Rounds
from trunkline_router.sessions.session import Session, owner_of
from trunkline_router.sessions.session_ids import PURPOSE, SessionIds, unknown_session
from trunkline_router.sessions.session_memory import SessionMemory
from trunkline_router.wire.answer import Answer
from trunkline_router.wire.refusal import Refused
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.signing import SigningKeys
from trunkline_shared.store.store import Store

_NONCE_BYTES = 9


def unheard(gone: UpstreamUnavailable) -> Refused:
    """Return the refusal of a message that cannot be passed on to the replica it is for."""
    return Refused(INTERNAL_ERROR, gone.message, status=503)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Opens, finds and ends sessions, and answers within them.

    `on_end` are told of each one that is ended; most are never.
    """

    core: Core
    dialect: Dialect
    ids: SessionIds
    memory: SessionMemory
    replica: Replica
    background: Background
    questions: Questions
    calls: Calls
    streams: KeptStreams
    resuming: Resuming
    feeds: Feeds
    answering: Answering
    clock: Clock
    on_end: list[Callable[[Session], object]] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        *,
        core: Core,
        dialect: Dialect,
        signing: SigningKeys,
        store: Store,
        clock: Clock,
        limits: Limits,
    ) -> "Sessions":
        """Put the parts together; replicas that share a secret and a store share sessions."""
        replica, background = Replica(bus=store.bus, clock=clock), Background()
        questions = Questions(replica=replica, background=background)
        streams = KeptStreams(replica=replica.id, clock=clock)
        memory = SessionMemory(kept=store.kept, clock=clock)
        calls = Calls(background=background, replica=replica)
        feeds = Feeds(
            core=core,
            memory=memory,
            replica=replica,
            background=background,
            calls=calls,
            lists=ListChanges(catalog=core.catalog, background=background),
            resources=ResourceUpdates(core=core, background=background),
        )
        rounds = Rounds(questions=questions, clock=clock, patience_s=limits.asking_s)
        return cls(
            core=core,
            dialect=dialect,
            ids=SessionIds(keys=signing.derived(PURPOSE), clock=clock),
            memory=memory,
            replica=replica,
            background=background,
            questions=questions,
            calls=calls,
            streams=streams,
            resuming=Resuming(streams=streams, replica=replica, background=background),
            feeds=feeds,
            answering=Answering(memory=memory, rounds=rounds, feeds=feeds),
            clock=clock,
        )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Hear other replicas, and let calls outlive connections, for the length of the block."""
        async with self.background.running():
            self.background.start(self.replica.listen())
            yield

    async def opened(
        self, bearer: str | None, params: Mapping[str, object], scope: str | None
    ) -> str:
        """Return the id of the session that an `initialize` opens. Raises Refused."""
        asked = params.get("protocolVersion")
        caller = await self.core.tokens.verify(bearer)
        session = Session(
            nonce=secrets.token_urlsafe(_NONCE_BYTES),
            owner=owner_of(caller),
            issued=int(self.clock.now()),
            version=str(asked)
            if asked in HANDSHAKE_PROTOCOL_VERSIONS
            else LATEST_HANDSHAKE_VERSION,
            capabilities=capabilities_of(params),
            client=client_of(params),
            scope=scope,
        )
        return self.ids.minted(session)

    def opened_on_stream(self, caller: Caller, scope: str | None) -> tuple[Session, str]:
        """Return the session of an event stream that begins in this process, and its id."""
        session = Session(
            nonce=secrets.token_urlsafe(_NONCE_BYTES),
            owner=owner_of(caller),
            issued=int(self.clock.now()),
            scope=scope,
            replica=self.replica.id,
        )
        return session, self.ids.minted(session)

    async def entered(
        self, text: str, bearer: str | None, scope: str | None, caller: Caller | None = None
    ) -> InSession:
        """Return the session that an id stands for, for the caller that opened it.

        `caller` is who shows `bearer`, if that is known.

        Raises Refused: HTTP 404 for an id that is forged, over, ended, or another caller's.
        """
        session = self.ids.read(text, scope)
        caller = caller or await self.core.tokens.verify(bearer)
        if owner_of(caller) != session.owner:
            raise unknown_session()
        return self.answering.of(session, caller, await self.memory.of(session))

    async def ended(self, session: Session) -> None:
        """End a session: its calls, its stream, and its id."""
        for tell in self.on_end:
            tell(session)
        await self.memory.end(session)
        await self.calls.leave(session.nonce)
        await self.feeds.end(session.nonce)

    async def told(self, session: Session, method: str, params: Json, body: Json) -> None:
        """Take what is no request: a notification, or a response when `method` is empty.

        Raises UpstreamUnavailable when another replica waits for it, and cannot be told.
        """
        if method == "notifications/cancelled":
            await self.calls.cancel(session.nonce, params.get("requestId"))
        elif not method:
            await self.questions.answered(session.nonce, body)

    async def answer(
        self, found: InSession | None, request: Request, headers: Mapping[str, str]
    ) -> Answer:
        """Answer a request, of a session or of none, whatever happens."""
        return await converse(self.core, self.dialect, request, headers, found or once)
