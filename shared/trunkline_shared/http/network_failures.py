"""What goes wrong on the way to a vendor, as our failures.

`details.phase` is `connect` when nothing of the request was written, and `exchange` when it may
have arrived.
"""

import ssl
from typing import Literal

import aiohttp

from trunkline_shared.errors import (
    NetworkError,
    TooLarge,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)

Phase = Literal["held", "connect", "exchange"]


def network_failure(error: aiohttp.ClientError | OSError, host: str, phase: Phase) -> NetworkError:
    """Return the failure of a connection, naming the host and nothing secret."""
    reason, said, hint = _kind(error)
    return NetworkError(
        f"{host} {said}.",
        hint=hint,
        details={"host": host, "reason": reason, "phase": phase},
    )


def _kind(error: Exception) -> tuple[str, str, str]:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "dns", "was not found by name", "Check the address and the DNS of this machine."
        case (
            aiohttp.ClientConnectorCertificateError()
            | aiohttp.ClientSSLError()
            | ssl.SSLError()
            | aiohttp.ServerFingerprintMismatch()
        ):
            return (
                "tls",
                "could not be trusted over TLS",
                "Check its certificate, and SSL_CERT_FILE.",
            )
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return "proxy", "is not reachable through the proxy", "Check HTTPS_PROXY and NO_PROXY."
        case aiohttp.ConnectionTimeoutError():
            return "connect", "did not accept a connection in time", "Check the network."
        case aiohttp.ClientConnectorError():
            return "connect", "refused the connection", "Check the address and the network."
        case _:
            return "reset", "cut the connection", "Try again; the network or the vendor failed."


def timed_out(host: str, seconds: float, phase: Phase) -> UpstreamTimeout:
    """Return the failure of an exchange that took longer than its share of the deadline."""
    return UpstreamTimeout(
        f"{host} did not answer within {seconds:.3g} s.",
        details={"host": host, "phase": phase},
    )


def deadline_passed(host: str) -> UpstreamTimeout:
    """Return the failure of a request for which no time was left, so that it was never sent."""
    return UpstreamTimeout(
        f"The call's deadline passed before {host} could be asked.",
        details={"host": host, "phase": "held"},
    )


def too_large(host: str, cap: int) -> TrunklineError:
    """Return the failure of an answer beyond its cap, in bytes."""
    return TooLarge(
        f"{host} sent more than the {cap} bytes that are held of one answer.",
        hint="Ask for a smaller part of it.",
        details={"host": host, "reason": "answer_over_cap", "cap_bytes": cap},
    )


def bad_redirect(host: str, why: str) -> UpstreamUnavailable:
    """Return the failure of a redirection that is not followed."""
    return UpstreamUnavailable(
        f"{host} sent a redirection that was not followed: {why}.",
        retryable=False,
        details={"host": host, "reason": "bad_redirect"},
    )
