"""What Jira does in its own way: its address and its headers."""

from importlib.metadata import version

from trunkline_jira.site.limits import left_of
from trunkline_shared.vendor.address import BaseUrl
from trunkline_shared.vendor.credential import Credential
from trunkline_shared.vendor.transport import Vendor

USER_AGENT = f"trunkline/{version('trunkline-shared')}"


def vendor_at(base: str) -> Vendor[Credential]:
    """Return the Jira at a base URL."""
    return Vendor(name="Jira", address=BaseUrl(base), headers=_headers, left=left_of)


def _headers(credential: Credential) -> dict[str, str]:
    return {
        "Accept": "application/json",
        "Authorization": credential.authorization,
        "User-Agent": USER_AGENT,
    }
