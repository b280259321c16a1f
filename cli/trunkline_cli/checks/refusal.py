"""What a failure of a vendor that need not be configured means to the doctor."""

from trunkline_cli.checks.finding import Finding
from trunkline_shared.errors import CredentialsMissing, NetworkError, TrunklineError, UpstreamError
from trunkline_shared.settings import ConfigurationError

PATIENCE_S = 20.0
"""How long a vendor may take for one answer, attempts included."""


def refusal(about: str, error: TrunklineError, *, address: str, credential: str) -> Finding:
    """Return the finding: a warning when nothing is configured, a failure when it is wrong.

    `address` and `credential` name the variables to look at where the failure has no advice.
    """
    if isinstance(error, CredentialsMissing):
        text = f"{error.message} Its tools answer {error.code}"
        return Finding(about=about, level="warn", text=text, mend=error.hint or f"set {credential}")
    if isinstance(error, NetworkError):
        mend = f"check the network and {address}"
    elif isinstance(error, UpstreamError):
        mend = error.hint or f"check {address}, or try again later"
    else:
        mend = error.hint or f"set {credential} to one that works"
    return Finding(about=about, level="fail", text=error.message, mend=mend)


def misconfigured(about: str, error: ConfigurationError) -> Finding:
    """Return the finding for settings that cannot be used; their names are in the text."""
    text = "; ".join(str(error).splitlines())
    return Finding(about=about, level="fail", text=text, mend="correct the variable, or unset it")
