"""Logins from netrc: `~/.netrc`, or the file that NETRC names."""

import netrc
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trunkline_shared.errors import AuthError


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """An entry of netrc; the user may be empty."""

    user: str
    password: str = field(repr=False)


def login(file: Path, hosts: Sequence[str], instead: str) -> Login | None:
    """Return the login of the first host that has an entry, then of `default`.

    `instead` names the variable that does without netrc. Blocking. Raises AuthError for a file
    that cannot be read or understood.
    """
    try:
        entries = netrc.netrc(str(file))
    except FileNotFoundError:
        return None
    except netrc.NetrcParseError as error:
        raise _unusable(file, f"line {error.lineno} cannot be understood", hosts, instead) from None
    except UnicodeDecodeError:
        raise _unusable(file, "it is not UTF-8 text", hosts, instead) from None
    except OSError as error:
        why = f"it cannot be read ({error.strerror})"
        raise _unusable(file, why, hosts, instead) from None
    known = (entries.hosts.get(host) for host in (*hosts, "default"))
    found = next((entry for entry in known if entry and entry[2]), None)
    return Login(user=found[0] or "", password=found[2]) if found else None


def _unusable(file: Path, why: str, hosts: Sequence[str], instead: str) -> AuthError:
    return AuthError(
        f"The netrc file {file.name} is not usable: {why}.",
        hint=f"Mend it (machine {hosts[0]} login NAME password TOKEN), or set {instead}.",
        details={"reason": "netrc_unusable"},
    )
