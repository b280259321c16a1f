"""The client's configuration for one job."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.client import build_allowed_mcp_tools, build_mcp_servers

BASE = "http://127.0.0.1:8470"


@pytest.mark.requirement("context.client")
def test_a_pull_request_gets_the_three_review_servers() -> None:
    """The seed's keys; each URL carries what the job is bound to."""
    servers = build_mcp_servers(BASE, "acme", "widgets", pr_number=12)
    assert servers == {
        server: {
            "type": "http",
            "url": f"{BASE}/servers/{server}/mcp?owner=acme&repo=widgets&pr_number=12",
            "headers": {},
        }
        for server in ("github_comment", "github_inline_comment", "github_ci")
    }


@pytest.mark.requirement("context.client")
def test_without_a_pull_request_the_comment_server_is_alone() -> None:
    """The others work on pull requests only."""
    assert list(build_mcp_servers(BASE, "acme", "widgets")) == ["github_comment"]
    assert list(build_mcp_servers(BASE, "acme", "widgets", comment_id=7)) == ["github_comment"]


@pytest.mark.requirement("context.client")
def test_the_comment_of_a_job_binds_the_comment_server_alone() -> None:
    """Elsewhere its id would stand for a review comment, which is another object."""
    servers = build_mcp_servers(BASE, "acme", "widgets", 12, 7)
    assert str(servers["github_comment"]["url"]).endswith("&pr_number=12&comment_id=7")
    assert "comment_id" not in str(servers["github_inline_comment"]["url"])
    assert "comment_id" not in str(servers["github_ci"]["url"])


def test_a_token_goes_into_each_servers_own_headers() -> None:
    """As a bearer token; never into the URL."""
    servers = build_mcp_servers(BASE, "acme", "widgets", 12, token="tl_id_secret")
    for server in servers.values():
        assert server["headers"] == {"Authorization": "Bearer tl_id_secret"}
        assert "secret" not in str(server["url"])


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("http://127.0.0.1:8470/", "http://127.0.0.1:8470"),
        ("http://127.0.0.1:8470/mcp", "http://127.0.0.1:8470"),
        ("https://mesh.example/trunkline/", "https://mesh.example/trunkline"),
        ("http://[::1]:8470", "http://[::1]:8470"),
    ],
)
def test_a_base_url_may_have_a_path_and_a_slash(base: str, expected: str) -> None:
    """Also the URL that `trunkline run` prints."""
    url = str(build_mcp_servers(base, "acme", "widgets")["github_comment"]["url"])
    assert url.startswith(f"{expected}/servers/github_comment/mcp?")


@pytest.mark.parametrize(
    "bad",
    [
        {"base_url": "127.0.0.1:8470"},
        {"base_url": "ftp://mesh.example"},
        {"base_url": "http://"},
        {"base_url": "http://mesh.example?x=1"},
        {"base_url": "http://user:secret@mesh.example"},
        {"base_url": "http://mesh.example/ a"},
        {"owner": ""},
        {"owner": "a/b"},
        {"owner": "a&repo=evil"},
        {"repo": ".."},
        {"repo": "a/b"},
        {"pr_number": 0},
        {"pr_number": True},
        {"pr_number": "12"},
        {"comment_id": -1},
        {"token": ""},
        {"token": "a\nb"},
        {"token": "a b"},
    ],
    ids=str,
)
def test_what_is_malformed_is_refused(bad: dict[str, object]) -> None:
    """ValueError, before a URL exists that means something else."""
    sound: dict[str, object] = {"base_url": BASE, "owner": "acme", "repo": "widgets"}
    with pytest.raises(ValueError, match="must"):
        build_mcp_servers(**(sound | bad))  # type: ignore[arg-type] # wrong types are the point


@given(owner=st.text(max_size=12), repo=st.text(max_size=12), number=st.integers())
def test_a_built_url_says_exactly_what_was_given(owner: str, repo: str, number: int) -> None:
    """Whatever the names: refused, or read back unchanged."""
    try:
        servers = build_mcp_servers(BASE, owner, repo, number)
    except ValueError:
        return
    for server in servers.values():
        query = urlsplit(str(server["url"])).query
        assert dict(parse_qsl(query)) == {"owner": owner, "repo": repo, "pr_number": str(number)}


def test_patterns_allow_every_tool_of_a_server() -> None:
    """In the order given."""
    servers = build_mcp_servers(BASE, "acme", "widgets", 12)
    assert build_allowed_mcp_tools(servers) == [
        "mcp__github_comment__*",
        "mcp__github_inline_comment__*",
        "mcp__github_ci__*",
    ]
    assert build_allowed_mcp_tools([]) == []
