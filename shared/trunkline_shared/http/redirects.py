"""Redirections, followed by hand: never for a write, never with credentials to another origin."""

from dataclasses import replace

from yarl import URL

from trunkline_shared.exchange import Response
from trunkline_shared.http.network_failures import bad_redirect
from trunkline_shared.http.outgoing import Outgoing

HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FOR_THE_ORIGIN = frozenset({"accept", "user-agent", "range"})


def target(sent: Outgoing, response: Response) -> Outgoing | None:
    """Return the request that follows a redirection, or None when there is nothing to follow.

    Another origin gets no header but Accept, Range and User-Agent. Raises UpstreamUnavailable
    for a target that is no HTTP address or gives up TLS.
    """
    location = response.headers.get("location")
    if sent.method not in {"GET", "HEAD"} or response.status not in _REDIRECTS or not location:
        return None
    here = URL(sent.url)
    try:
        there = here.join(URL(location))
    except ValueError:
        raise bad_redirect(here.host or "", "its target is no address") from None
    if there.scheme not in {"http", "https"} or not there.host:
        raise bad_redirect(here.host or "", "its target is no HTTP address")
    if here.scheme == "https" and there.scheme == "http":
        raise bad_redirect(here.host or "", "it leads from HTTPS to HTTP")
    there = there.with_user(None)
    if there.origin() == here.origin():
        return replace(sent, url=str(there))
    kept = {k: v for k, v in sent.headers.items() if k.lower() in _FOR_THE_ORIGIN}
    return replace(sent, url=str(there), headers=kept, template="(redirected)")


def reported(response: Response, *, asked: Outgoing, answered: Outgoing) -> Response:
    """Name in `moved_to` where a request of the same origin ended.

    The address at another origin may be signed, which makes it a credential: it is not told.
    """
    if answered is asked:
        return response
    if URL(answered.url).origin() != URL(asked.url).origin():
        return replace(response, url=asked.url, elsewhere=True)
    return replace(response, moved_to=answered.url)
