"""What `trunkline status` says of servers that are not well."""

from typing import Any

import pytest

from trunkline_cli.commands.status import advice, table

WELL: dict[str, Any] = {
    "available": True,
    "breaker": {"state": "closed", "consecutiveFailures": 0, "resets_in_s": 0},
    "latency_ms": {"p50": 3.25, "p99": None},
    "tools": 4,
    "in_flight": 1,
    "queued": 0,
}


def said(**server: Any) -> str:
    """Return what is advised about one server."""
    return "\n".join(advice({"servers": {"github": WELL | server}, "quota": []}))


def test_a_server_that_is_well_needs_no_advice() -> None:
    """A line in the table, and nothing more."""
    head, line = table({"github": WELL}).split("\n")
    assert head.split()[:4] == ["SERVER", "STATE", "TOOLS", "BREAKER"]
    assert head.endswith("IN FLIGHT  QUEUED")
    assert line.split() == ["github", "available", "4", "closed", "3.2", "-", "1", "0"]
    assert not said()


@pytest.mark.requirement("gateway.status")
def test_an_open_breaker_says_why_how_long_and_what_to_do() -> None:
    """In one line."""
    breaker = {"state": "open", "consecutiveFailures": 3, "resets_in_s": 280.4}
    line = said(available=False, breaker=breaker, last_error="NETWORK_ERROR")
    assert "3 failures in a row (NETWORK_ERROR)" in line
    assert "refused for 280 s more" in line
    assert "trunkline doctor" in line


def test_other_troubles_are_named_too() -> None:
    """One that cannot be listed, one that is full, replicas that are left out, a probe."""
    assert "cannot be listed (TIMEOUT)" in said(available=False, last_error="TIMEOUT")
    assert "5 calls wait for a slot" in said(queued=5)
    assert "servers.github.concurrency" in said(queued=5)
    replicas = [{"url": "http://a/mcp", "available": False}, {"url": "b", "available": True}]
    assert "do not answer: http://a/mcp." in said(replicas=replicas)
    assert "finding out" in said(breaker={"state": "half-open"})


def test_an_exhausted_quota_names_the_tools_that_need_it() -> None:
    """And when they may be called again."""
    quota = {"resource": "core", "resets_in_s": 41.6, "tools": ["github.read", "github_ci.x"]}
    (line,) = advice({"servers": {}, "quota": [quota]})
    assert "core is exhausted for 42 s more" in line
    assert "github.read, github_ci.x answer RATE_LIMITED" in line


@pytest.mark.requirement("cache.status")
def test_a_quota_that_is_nearly_exhausted_is_told_before_it_is() -> None:
    """With what happens until it is renewed; of one with enough left there is nothing to say."""
    quota = {"resource": "core", "resets_in_s": 900.0, "limit": 5000, "tools": ["github.read"]}
    assert not list(advice({"quota": [quota | {"remaining": 4000}]}))
    (line,) = advice({"quota": [quota | {"remaining": 480}]})
    assert "480 of 5,000 requests of core are left for 900 s" in line
    (line,) = advice({"quota": [quota | {"remaining": 0}]})
    assert "core is exhausted for 900 s more" in line
    (line,) = advice({"quota": [quota | {"remaining": 100, "limit": None}]})
    assert "100 requests of core are left" in line
