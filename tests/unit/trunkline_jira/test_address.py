"""Where a Jira is, from whatever people write into JIRA_HOST."""

from pathlib import Path

import pytest

from trunkline_jira.address import normalised, site_name
from trunkline_jira.settings import JiraSettings
from trunkline_shared.settings import ConfigurationError, load


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("acme.atlassian.net", "https://acme.atlassian.net"),
        ("http://Acme.atlassian.net/", "https://acme.atlassian.net"),
        ("https://acme.atlassian.net/browse/ME-1", "https://acme.atlassian.net"),
        ("https://acme.atlassian.net/jira/software", "https://acme.atlassian.net"),
        ("jira.corp.test", "https://jira.corp.test"),
        ("http://jira.corp.test:8080/jira/", "http://jira.corp.test:8080/jira"),
        ("https://corp.test/jira/rest/api/2", "https://corp.test/jira"),
        ("https://corp.test/rest/", "https://corp.test"),
        ("http://[::1]:2990/jira", "http://[::1]:2990/jira"),
        ("https://api.atlassian.com/ex/jira/11-aa/rest/api/3", "https://api.atlassian.com/ex/jira/11-aa"),
    ],
)  # fmt: skip
def test_an_address_is_brought_into_one_form(given: str, base: str) -> None:
    """A host, a URL, a page of it; with the context path of a Data Center."""
    assert normalised(given) == base


@pytest.mark.parametrize(
    "given",
    [
        "ftp://jira.test",
        "https://",
        "https://user:secret@jira.test",
        "https://jira.test/?os_authType=basic",
        "https://jira.test/a/../b",
        "https://jira.test/%2e%2e",
        "https://jira.test//evil.test",
        "https://api.atlassian.com",
        "https://api.atlassian.com/ex/confluence/11",
        "a b",
    ],
)
@pytest.mark.parametrize("variable", ["JIRA_HOST", "TRUNKLINE_JIRA_URL"])
def test_a_bad_address_is_refused_by_its_variable(
    given: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names what to mend, before anything is asked."""
    monkeypatch.setenv(variable, given)
    with pytest.raises(ConfigurationError, match=variable):
        load(JiraSettings)


def test_the_url_goes_before_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host is what other tools use; the URL is ours alone."""
    monkeypatch.setenv("JIRA_HOST", "acme.atlassian.net")
    assert load(JiraSettings).base_url == "https://acme.atlassian.net"
    monkeypatch.setenv("TRUNKLINE_JIRA_URL", "https://corp.test/jira")
    assert load(JiraSettings).base_url == "https://corp.test/jira"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TRUNKLINE_JIRA_PROJECTS", "ME;WID"),
        ("TRUNKLINE_JIRA_PROJECTS", "ME-1"),
        ("TRUNKLINE_JIRA_KEY_PATTERN", "[A-Z"),
        ("TRUNKLINE_JIRA_CONCURRENCY", "0"),
    ],
)
def test_other_bad_settings_are_refused_by_name(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of projects that allows nothing by mistake would look like an empty Jira."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError, match=variable):
        load(JiraSettings)


@pytest.mark.parametrize(
    ("base", "name"),
    [
        ("https://acme.atlassian.net", "acme.atlassian.net"),
        ("http://jira.corp.test:8080/jira", "jira.corp.test"),
        ("https://api.atlassian.com/ex/jira/11-AA", "11-aa"),
        ("", ""),
    ],
)
def test_a_site_has_one_name_in_tags(base: str, name: str) -> None:
    """Colons separate the parts of a tag, so there is none in it."""
    assert site_name(base) == name


@pytest.mark.parametrize("variable", ["JIRA_HOST", "TRUNKLINE_JIRA_URL"])
def test_the_address_may_stand_in_a_file(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As any variable may."""
    file = tmp_path / "host"
    file.write_text("acme.atlassian.net\n", encoding="utf-8")
    monkeypatch.setenv(f"{variable}_FILE", str(file))
    assert load(JiraSettings).base_url == "https://acme.atlassian.net"
