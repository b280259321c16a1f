"""Which hosted repository a checkout belongs to, read from its remotes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from trunkline_branch_context.git import Git

PREFERRED = ("upstream", "origin")
_KEYS = r"^(remote\..*\.url|url\..*\.insteadof)$"
_SCP = re.compile(r"^(?:[^/@:\s]+@)?(?P<host>\[[^\]]+\]|[^/:\s@]+):(?P<path>.*)$", re.DOTALL)
_SCHEMES = frozenset({"ssh", "git", "http", "https", "git+ssh", "ssh+git", "git+https"})
_SAME_HOST: Mapping[str, str] = {"ssh.github.com": "github.com", "www.github.com": "github.com"}
_NAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedRepository:
    """A repository on a host; `remote` is the name that the checkout gives it."""

    host: str
    owner: str
    repo: str
    remote: str = ""

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.repo}"


async def hosted_repositories(git: Git) -> list[HostedRepository]:
    """Return what the remotes point to: `upstream` first, then `origin`, then as configured."""
    output = await git.run("config", "--null", "--get-regexp", _KEYS, accept=frozenset({0, 1}))
    return parse_remotes(output.text)


def parse_remotes(text: str) -> list[HostedRepository]:
    """Read `git config --null --get-regexp` of remotes and of URL rewriting."""
    entries = [tuple(entry.partition("\n")[::2]) for entry in text.split("\0") if entry]
    rewriting = [
        (key.removeprefix("url.")[: -len(".insteadof")], value)
        for key, value in entries
        if key.startswith("url.") and key.endswith(".insteadof")
    ]
    urls: dict[str, str] = {}
    for key, value in entries:
        if key.startswith("remote."):
            urls.setdefault(key.removeprefix("remote.").removesuffix(".url"), value)
    return list(_found(urls, rewriting))


def _found(
    urls: Mapping[str, str], rewriting: Sequence[tuple[str, str]]
) -> Iterator[HostedRepository]:
    for remote in dict.fromkeys((*(each for each in PREFERRED if each in urls), *urls)):
        found = parse_url(rewritten(urls[remote], rewriting))
        if found is not None:
            host, owner, repo = found
            yield HostedRepository(host=host, owner=owner, repo=repo, remote=remote)


def rewritten(url: str, rewriting: Sequence[tuple[str, str]]) -> str:
    """Apply `url.BASE.insteadOf = PREFIX`: the longest prefix wins, as git has it."""
    fitting = [(prefix, base) for base, prefix in rewriting if prefix and url.startswith(prefix)]
    if not fitting:
        return url
    prefix, base = max(fitting, key=lambda each: len(each[0]))
    return base + url.removeprefix(prefix)


def parse_url(url: str) -> tuple[str, str, str] | None:
    """Return host, owner and repository of a remote's URL, or None when it names none.

    Takes the scp form, ssh with a port, and http with user info, which is dropped.
    """
    parts = _split(url.strip())
    if parts is None:
        return None
    host, path = parts
    segments = [unquote(segment) for segment in path.strip("/").split("/")]
    if len(segments) != _OWNER_AND_REPO:
        return None
    owner, repo = segments[0].removeprefix("~"), segments[1].removesuffix(".git")
    if not (host and _is_name(owner) and _is_name(repo)):
        return None
    return _SAME_HOST.get(host, host), owner, repo


_OWNER_AND_REPO = 2


def _split(url: str) -> tuple[str, str] | None:
    if "://" in url:
        return _split_url(url)
    scp = _SCP.match(url)
    return (scp["host"].strip("[]").lower(), scp["path"]) if scp else None


def _split_url(url: str) -> tuple[str, str] | None:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme.lower() not in _SCHEMES or host is None:
        return None
    return host.lower(), parts.path


def _is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None and text not in {".", ".."}
