"""A stand-in for the server that authorizes Basecamp's clients, on a real socket.

https://github.com/basecamp/api/blob/master/sections/authentication.md
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl

from trunkline_shared.testing.basecamp.grants import GrantRefused, Grants
from trunkline_shared.testing.stand_in.call import Answer, Call, Route
from trunkline_shared.testing.stand_in.door import Door
from trunkline_shared.testing.stand_in.faults import Fault, Faults
from trunkline_shared.testing.stand_in.gates import Gate, Point
from trunkline_shared.testing.stand_in.log import Received, RequestLog

TOKEN = "/authorization/token"  # noqa: S105 - a path
DISCOVERY = "/authorization.json"
_FORM = "application/x-www-form-urlencoded"
_UNAUTHORIZED, _BAD_REQUEST, _NOT_A_FORM = 401, 400, 415


@dataclass(slots=True, kw_only=True)
class AuthorizationStandIn:
    """Serves its grants for the length of an `async with` block, on `port` (0: any)."""

    grants: Grants = field(default_factory=Grants)
    port: int = 0
    _door: Door = field(init=False)

    def __post_init__(self) -> None:
        self._door = Door(
            routes=[
                Route(method="POST", path=TOKEN, handle=self._renew),
                Route(method="GET", path=DISCOVERY, handle=self._discover),
            ],
            unknown=lambda _: Answer(status=404, text="Not found"),
            clock=self.grants.clock,
            port=self.port,
        )

    async def __aenter__(self) -> Self:
        await self._door.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._door.__aexit__(kind, error, trace)

    @property
    def url(self) -> str:
        return self._door.url

    @property
    def token_url(self) -> str:
        return self.url + TOKEN

    @property
    def faults(self) -> Faults[Fault]:
        return self._door.faults

    @property
    def requests(self) -> RequestLog:
        return self._door.requests

    @property
    def renewals(self) -> list[Received]:
        """Return the requests for another token, whatever became of them."""
        return self.requests.matching("POST", TOKEN)

    def hold_renewals(self, at: Point = Point.ARRIVED) -> Gate:
        """Return a gate at which every renewal waits until the test lets it go on."""
        return self.faults.hold("POST", TOKEN, at=at, times=float("inf"))

    def is_valid(self, access_token: str) -> bool:
        """Whether Basecamp's API takes an access token now."""
        return self.grants.is_valid(access_token)

    def _renew(self, call: Call) -> Answer:
        if not call.received.headers.get("content-type", "").startswith(_FORM):
            return Answer(status=_NOT_A_FORM, json={"error": "invalid_request"})
        asked = dict(parse_qsl(call.received.body.decode(), keep_blank_values=True))
        try:
            fresh = self.grants.renew(asked)
        except GrantRefused as refused:
            status = _UNAUTHORIZED if refused.code == "invalid_client" else _BAD_REQUEST
            # what a server says of a token may repeat it; the client must not
            said = {"error": refused.code, "error_description": f"no: {asked}"}
            return Answer(status=status, json=said)
        answer: dict[str, object] = {"access_token": fresh.access_token, "token_type": "Bearer"}
        if self.grants.lifetime_s is not None:
            answer["expires_in"] = self.grants.lifetime_s
        if self.grants.rotates:
            answer["refresh_token"] = fresh.refresh_token
        return Answer(json=answer)

    def _discover(self, call: Call) -> Answer:
        granted = self.grants.of(call.credential.removeprefix("Bearer "))
        if granted is None:
            return Answer(status=_UNAUTHORIZED, json={"error": "OAuth token expired"})
        ends = datetime.fromtimestamp(granted.expires_at, UTC)
        return Answer(
            json={
                "expires_at": ends.isoformat(timespec="seconds"),
                "identity": {
                    "id": 9_999_999,
                    "first_name": "Jason",
                    "last_name": "Fried",
                    "email_address": "jason@basecamp.example",
                },
                "accounts": [account.payload for account in self.grants.accounts],
            }
        )
