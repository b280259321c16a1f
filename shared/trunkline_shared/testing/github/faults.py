"""What can go wrong with GitHub in its own way."""

from dataclasses import dataclass

from trunkline_shared.testing.stand_in import faults as stand_in
from trunkline_shared.testing.stand_in.faults import AnswerWith

SECONDARY_MESSAGE = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)
RATE_LIMITS = "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimaryLimit:
    """Use up the token's budget; it comes back after `reset_in_s` seconds of the clock."""

    reset_in_s: float = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class LaggingList:
    """Answer a list as a replica that has not heard of its `newest` last entries."""

    newest: int = 1


Fault = stand_in.Fault | PrimaryLimit | LaggingList


def secondary_limit(
    *, retry_after: int | None = None, status: int = 403, remaining: int = 4321
) -> AnswerWith:
    """Return GitHub's refusal of too fast a client; `retry_after` (seconds) is often missing."""
    headers = {"x-ratelimit-remaining": str(remaining)}
    if retry_after is not None:
        headers["retry-after"] = str(retry_after)
    body = {"message": SECONDARY_MESSAGE, "documentation_url": RATE_LIMITS}
    return AnswerWith(status=status, body=body, headers=headers)


def bad_gateway(status: int = 502) -> AnswerWith:
    """Return the HTML page that stands before GitHub when it does not answer."""
    page = "<html><head><title>Unicorn!</title></head><body>This page is taking too long</body>"
    return AnswerWith(status=status, body=page, headers={"content-type": "text/html"})


def saml_required(url: str) -> AnswerWith:
    """Return the refusal of a token that single sign-on has not approved."""
    body = {
        "message": "Resource protected by organization SAML enforcement. "
        "You must grant your Personal Access token access to this organization.",
        "documentation_url": "https://docs.github.com/articles/authenticating-to-a-github-"
        "organization-with-saml-single-sign-on/",
    }
    return AnswerWith(status=403, body=body, headers={"x-github-sso": f"required; url={url}"})
