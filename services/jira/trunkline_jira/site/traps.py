"""Answers that look like something else than what they are: a login that failed silently.

Jira can answer a refused credential with 200 and fewer results, as to nobody
(https://github.com/MrRefactoring/jira.js/issues/418), with 404, or with a page to log in at. So
every answer is looked at, successes too.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

from trunkline_jira.site.refusal import Refusal, clean, facts, is_page, understood
from trunkline_shared.errors import AuthError
from trunkline_shared.exchange import Response

_SUCCESSES = range(200, 300)
_REDIRECTIONS = range(300, 400)
_TOO_MANY, _SERVER_FAILED = 429, 500
_FAILED_LOGINS = frozenset({
    "AUTHENTICATED_FAILED",
    "AUTHENTICATION_FAILED",
    "AUTHENTICATION_DENIED",
    "AUTHORISATION_FAILED",
    "AUTHORIZATION_FAILED",
})
_LOGIN_WORDS = ("login", "signin", "sso", "saml", "oauth2", "auth/")


def trap(response: Response) -> AuthError | None:
    """Return the failure of an answer that was not given to our account, or None.

    A refusal for its rate or of a broken server says nothing about the credential.
    """
    if response.status == _TOO_MANY or response.status >= _SERVER_FAILED:
        return None
    found = (look(response) for look in _LOOKS)
    return next((failure for failure in found if failure is not None), None)


def _elsewhere(response: Response) -> AuthError | None:
    """Tell of an answer from another origin, where the credential was not sent along."""
    if not response.elsewhere or is_page(response):
        return None
    return AuthError(
        "Jira redirects to another address, where the credential is not sent: what came from there "
        "was not used.",
        hint="Set TRUNKLINE_JIRA_URL to the address where Jira is now (https in place of http?).",
        details=facts(response) | {"reason": "redirected_elsewhere"},
    )


def _captcha(response: Response) -> AuthError | None:
    denied = response.headers.get("x-authentication-denied-reason", "")
    if "CAPTCHA" not in denied.upper():
        return None
    where = _login_url(denied, response)
    return AuthError(
        "Jira asks for a CAPTCHA after failed logins and refuses this account until then.",
        hint=f"A person has to log in once in the browser{where}, then the credential works again.",
        details=facts(response) | {"reason": "captcha"},
    )


def _login_url(denied: str, response: Response) -> str:
    """Return where to log in, when the header names a page of the site itself."""
    url = denied.partition("login-url=")[2].split(";")[0].strip()
    mine, there = urlsplit(response.url), urlsplit(url)
    return f" at {clean(url)}" if url and there.netloc == mine.netloc else ""


def _failed_login(response: Response) -> AuthError | None:
    said = response.headers.get("x-seraph-loginreason", "").upper()
    reasons = {reason.strip() for reason in said.split(",")} & _FAILED_LOGINS
    if not reasons:
        return None
    return _refused(response, "login_failed", f"refused the login ({', '.join(sorted(reasons))})")


def _nobody(response: Response) -> AuthError | None:
    if response.headers.get("x-ausername", "").lower() != "anonymous":
        return None
    return _refused(response, "anonymous", "took the request for an anonymous one")


def _refused(response: Response, reason: str, did: str) -> AuthError:
    answered = f" and answered {response.status} all the same" if response.status < 400 else ""  # noqa: PLR2004 - the first failure of HTTP
    return AuthError(
        f"Jira {did}{answered}: what it shows then is incomplete and was not used.",
        hint=RENEW,
        details=facts(response) | {"reason": reason},
    )


def _login_page(response: Response) -> AuthError | None:
    if is_page(response) and (response.elsewhere or response.status in _SUCCESSES):
        return _page(understood(response), "a page for people")
    if response.status in _REDIRECTIONS and _leads_to_login(response):
        return _page(understood(response), "a redirection to a login")
    return None


def _leads_to_login(response: Response) -> bool:
    location = response.headers.get("location", "").lower()
    return any(word in urlsplit(location).path for word in _LOGIN_WORDS)


def _page(refusal: Refusal, what: str) -> AuthError:
    path = urlsplit(refusal.response.url).path
    return AuthError(
        f"Jira sent {what} in place of an answer for {path}: single sign-on or a proxy stands "
        "before it.",
        hint="Check the address (JIRA_HOST, or TRUNKLINE_JIRA_URL with its context path), and that "
        "the API is reachable with a token there.",
        details=refusal.details("sso_page"),
    )


RENEW = (
    "The credential is wrong, revoked or expired: renew JIRA_API_TOKEN (with the e-mail address of "
    "its account in JIRA_USERNAME) or JIRA_PERSONAL_TOKEN."
)
_LOOKS: tuple[Callable[[Response], AuthError | None], ...] = (
    _elsewhere,
    _captcha,
    _failed_login,
    _nobody,
    _login_page,
)
