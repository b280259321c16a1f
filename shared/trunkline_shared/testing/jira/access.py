"""Who asks a stand-in Jira, and what Jira says to those whom it does not know."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trunkline_shared.exchange import Response
from trunkline_shared.testing.jira.people import Token, User
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Refusal

LOGIN_PAGE = (
    "<!DOCTYPE html><html><head><title>Log in</title></head><body><form>Log in</form></body></html>"
)
HTML = {"content-type": "text/html;charset=UTF-8"}
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Access:
    """Tells accounts by the raw value of `Authorization`."""

    state: State

    def name_of(self, authorization: str) -> str:
        """Return the name of the token for the log."""
        token = self._token(authorization)
        return token.name if token is not None else UNKNOWN

    def asker(self, call: Call) -> User | None:
        """Return the account that asks, or None for nobody in particular."""
        token = self._token(call.credential)
        return token.user if token is not None else None

    def check(self, call: Call) -> None:
        """Raise Refusal for a request that is not let in."""
        if self.state.login_page:
            raise Refusal(Answer(text=LOGIN_PAGE, headers=HTML))
        user = self.asker(call)
        if user is not None and user.captcha:
            raise Refusal(self._captcha())
        if user is None and call.credential and self.state.unknown_login == "refused":
            raise Refusal(unauthorized())

    def finish(self, call: Call, answer: Response) -> Response:
        """Add what Jira says in the headers of every answer: who asked, and how the login went."""
        return replace(answer, headers={**self._said(call), **answer.headers})

    def _said(self, call: Call) -> Mapping[str, str]:
        user = self.asker(call)
        said = {"atl-traceid" if self.state.is_cloud else "x-arequestid": "4f1d0c7a"}
        if user is not None:
            known = ("x-aaccountid", user.account_id)
            said |= dict([known if self.state.is_cloud else ("x-ausername", user.name)])
        elif not self.state.is_cloud:
            said["x-ausername"] = "anonymous"
        failed = user is None and bool(call.credential)
        if failed and self.state.tells_failed_login:
            said["x-seraph-loginreason"] = "AUTHENTICATED_FAILED"
        elif user is not None and not self.state.is_cloud:
            said["x-seraph-loginreason"] = "OK"
        return said

    def _captcha(self) -> Answer:
        login = f"{self.state.url}/login.jsp"
        denied = f"CAPTCHA_CHALLENGE; login-url={login}"
        return Answer(
            status=403,
            text="<html><body>Basic Authentication Failure - Reason : AUTHENTICATION_DENIED</body>",
            headers={
                **HTML,
                "x-authentication-denied-reason": denied,
                "x-seraph-loginreason": "AUTHENTICATION_DENIED",
            },
        )

    def _token(self, authorization: str) -> Token | None:
        known = (
            token
            for token in self.state.tokens
            if authorization == token.bearer or authorization in token.basic
        )
        token = next(known, None)
        usable = token is not None and token.user.active and not token.revoked
        return token if usable else None


def unauthorized() -> Answer:
    """Return the refusal of an unknown credential."""
    return Answer(
        status=401,
        text="Client must be authenticated to access this resource.",
        headers={"content-type": "text/plain", "www-authenticate": "OAuth realm"},
    )
