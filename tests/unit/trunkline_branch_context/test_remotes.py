"""Remote URLs: every form that git takes, rewriting, hosts, and which remote counts."""

import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trunkline_branch_context.default_repository import default_repository, git_host
from trunkline_branch_context.remotes import parse_remotes, parse_url, rewritten
from trunkline_shared.testing.git_repository import GitRepository


@pytest.mark.requirement("branch.remotes")
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/vercel/next.js.git", ("github.com", "vercel", "next.js")),
        ("https://github.com/vercel/next.js", ("github.com", "vercel", "next.js")),
        ("https://github.com/acme/widgets.git/", ("github.com", "acme", "widgets")),
        ("https://user:token@github.com/acme/widgets", ("github.com", "acme", "widgets")),
        ("https://GitHub.com:443/acme/widgets", ("github.com", "acme", "widgets")),
        ("http://ghes.example/acme/widgets.git", ("ghes.example", "acme", "widgets")),
        ("git@github.com:acme/widgets.git", ("github.com", "acme", "widgets")),
        ("github.com:acme/widgets", ("github.com", "acme", "widgets")),
        ("org-1234@github.com:acme/next.js.git", ("github.com", "acme", "next.js")),
        ("git@ghes.example:/acme/widgets.git", ("ghes.example", "acme", "widgets")),
        ("ssh://git@github.com/acme/widgets.git", ("github.com", "acme", "widgets")),
        ("ssh://git@ghes.example:2222/acme/widgets.git", ("ghes.example", "acme", "widgets")),
        ("ssh://git@ssh.github.com:443/acme/widgets.git", ("github.com", "acme", "widgets")),
        ("git://github.com/acme/widgets.git", ("github.com", "acme", "widgets")),
        ("git@acme.ghe.com:team/app.git", ("acme.ghe.com", "team", "app")),
        ("git@[::1]:acme/widgets.git", ("::1", "acme", "widgets")),
        ("https://github.com/acme/widgets%2Ejs", ("github.com", "acme", "widgets.js")),
        ("https://github.com/acme/.github", ("github.com", "acme", ".github")),
    ],
)
def test_a_url_is_read(url: str, expected: tuple[str, str, str]) -> None:
    """Dots in names, scp form, ports, user info, `.git`, GHES and ghe.com."""
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        *("", "/srv/git/widgets.git", "../widgets", "./a:b/c", "file:///srv/acme/widgets.git"),
        *("https://github.com/acme", "https://github.com/a/b/c", "https://github.com/acme/.."),
        *("git@github.com:widgets.git", "https://[::1/acme/widgets", "ext::sh -c id% acme/x"),
        "https://github.com/acme/wid gets",
    ],
)
def test_what_names_no_hosted_repository_is_none(url: str) -> None:
    """Local paths, groups of groups, helpers and nonsense."""
    assert parse_url(url) is None


@given(url=st.text(max_size=80) | st.text(string.printable, max_size=80))
def test_any_url_is_read_or_refused_without_raising(url: str) -> None:
    """Whatever a configuration holds, names stay plain."""
    found = parse_url(url)
    assert found is None or all(set(part) <= _PLAIN for part in found[1:])


_PLAIN = set(string.ascii_letters + string.digits + "_.-")


@pytest.mark.requirement("branch.remotes")
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    rules=st.lists(
        st.tuples(
            st.sampled_from(["https://github.com/", "git@ghes.example:", "ssh://x/"]),
            st.sampled_from(["gh:", "gh:acme/", "https://", "https://github.com/", "g"]),
        ),
        max_size=3,
        unique_by=lambda rule: rule[1],
    ),
    url=st.sampled_from(["gh:acme/widgets", "https://github.com/acme/widgets.git", "other"]),
)
def test_rewriting_agrees_with_git(
    tmp_path_factory: pytest.TempPathFactory, rules: list[tuple[str, str]], url: str
) -> None:
    """insteadOf: the longest prefix wins, exactly as `git remote get-url` has it."""
    repository = GitRepository.at(tmp_path_factory.mktemp("r"), commits=0)
    repository.git("config", "remote.origin.url", url)
    for base, prefix in rules:
        repository.git("config", "--add", f"url.{base}.insteadOf", prefix)
    assert rewritten(url, rules) == repository.git("remote", "get-url", "origin")


def test_upstream_goes_before_origin() -> None:
    """Several remotes: upstream for pull requests, else origin, else in the file's order."""
    text = (
        "remote.mine.url\nhttps://github.com/me/widgets\0"
        "remote.origin.url\ngit@github.com:fork/widgets.git\0"
        "remote.upstream.url\nhttps://github.com/acme/widgets\0"
        "remote.upstream.url\nhttps://github.com/second/url\0"
        "remote.local.url\n/srv/widgets\0"
    )
    assert [each.full_name for each in parse_remotes(text)] == [
        "acme/widgets",
        "fork/widgets",
        "me/widgets",
    ]


@pytest.mark.parametrize(
    ("api_url", "host"),
    [
        ("https://api.github.com", "github.com"),
        ("https://api.acme.ghe.com", "acme.ghe.com"),
        ("https://ghes.example/api/v3", "ghes.example"),
        ("nonsense", ""),
    ],
)
def test_the_host_of_remotes_follows_from_the_api(api_url: str, host: str) -> None:
    """github.com, ghe.com with its own sub-domain, GHES."""
    assert git_host(api_url) == host


@pytest.mark.anyio
async def test_the_default_repository_is_the_one_on_the_apis_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preferred remote on that host; a rewritten one too; none elsewhere."""
    repository = GitRepository.at(tmp_path, commits=0)
    for name, value in repository.environment.items():
        monkeypatch.setenv(name, value)
    repository.git("remote", "add", "upstream", "https://gitlab.example/group/next.js.git")
    repository.git("remote", "add", "origin", "gh:vercel/next.js")
    repository.git("config", "--global", "url.git@github.com:.insteadOf", "gh:")
    assert await default_repository(repository.path) == "vercel/next.js"
    assert await default_repository(repository.path, "https://ghes.example/api/v3") is None
    assert await default_repository(tmp_path / "nowhere") is None
