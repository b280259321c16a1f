"""Passwords from netrc: `~/.netrc`, or the file that NETRC names."""

import netrc
from collections.abc import Sequence
from pathlib import Path

from trunkline_shared.errors import AuthError


def password(file: Path, hosts: Sequence[str]) -> str | None:
    """Return the password of the first host that has an entry, then of `default`.

    Blocking. Raises AuthError for a file that cannot be read or understood.
    """
    try:
        entries = netrc.netrc(str(file))
    except FileNotFoundError:
        return None
    except netrc.NetrcParseError as error:
        raise _unusable(file, f"line {error.lineno} cannot be understood") from None
    except UnicodeDecodeError:
        raise _unusable(file, "it is not UTF-8 text") from None
    except OSError as error:
        raise _unusable(file, f"it cannot be read ({error.strerror})") from None
    known = (entries.hosts.get(host) for host in (*hosts, "default"))
    return next((entry[2] for entry in known if entry and entry[2]), None)


def _unusable(file: Path, why: str) -> AuthError:
    return AuthError(
        f"The netrc file {file.name} is not usable: {why}.",
        hint="Mend it (machine api.github.com login NAME password TOKEN), or set GITHUB_TOKEN.",
        details={"reason": "netrc_unusable"},
    )
