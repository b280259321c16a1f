"""Where Basecamp's tokens are renewed; the tokens themselves are read live, never kept here."""

from urllib.parse import urlsplit

from pydantic import field_validator

from trunkline_shared.settings import Settings

LAUNCHPAD = "https://launchpad.37signals.com/authorization/token"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class BasecampTokenSettings(Settings):
    """The authorization server. Tokens of the device flow have one of their own."""

    basecamp_token_url: str = LAUNCHPAD
    """Where tokens are renewed."""
    basecamp_token_resource: str = ""
    """What is sent as `resource` (RFC 8707), where that server asks for it."""

    @field_validator("basecamp_token_url")
    @classmethod
    def _usable(cls, value: str) -> str:
        url = value.strip() or LAUNCHPAD
        parts = urlsplit(url)
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError(f"must be an address alone, such as {LAUNCHPAD}")
        on_this_machine = parts.scheme == "http" and parts.hostname in _LOOPBACK
        if not parts.hostname or not (parts.scheme == "https" or on_this_machine):
            raise ValueError(f"must be an https URL, such as {LAUNCHPAD}: secrets are sent there")
        return url
