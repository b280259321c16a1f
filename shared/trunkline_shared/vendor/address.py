"""Where a vendor's API is, and which addresses belong to it."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.exchange import Request


@dataclass(frozen=True, slots=True)
class BaseUrl:
    """The base URL of an API, without a trailing slash."""

    base: str

    @property
    def host(self) -> str:
        return urlsplit(self.base).hostname or ""

    def url(self, request: Request) -> str:
        """Return the request's full URL, without its query parameters.

        Raises UpstreamUnavailable for a URL that does not lie under the base: following it would
        hand the credential to another host.
        """
        if request.path.startswith("/"):
            return self.base + request.path
        if not self.owns(request.path):
            raise UpstreamUnavailable(
                f"{self.host} sent a link to {urlsplit(request.path).hostname!r}, which was not "
                "followed: the token must not leave its API.",
                retryable=False,
                details={"reason": "foreign_link"},
            )
        return request.path

    def owns(self, url: str) -> bool:
        """Whether a full URL lies under the base."""
        mine, other = urlsplit(self.base), urlsplit(url)
        return (
            (mine.scheme, mine.netloc) == (other.scheme, other.netloc)
            and (other.path + "/").startswith(mine.path + "/")
            and "/../" not in other.path + "/"
        )
