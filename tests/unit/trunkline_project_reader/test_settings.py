"""What operators may say to the project-reader, and what they are told when it cannot be used."""

import pytest

from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_shared.settings import ConfigurationError, load


def test_the_usual_settings_ask_basecamp_itself() -> None:
    """Its own address, no account, and somebody to write to."""
    settings = load(ProjectReaderSettings)
    assert settings.basecamp_api_url == "https://3.basecampapi.com"
    assert settings.basecamp_account_id == ""
    assert "//" in settings.basecamp_contact
    assert settings.basecamp_concurrency == 10


def test_the_account_is_read_from_the_variable_that_basecamps_tools_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Blanks around it do not count; addresses lose their last slash."""
    monkeypatch.setenv("BASECAMP_ACCOUNT_ID", " 999 ")
    monkeypatch.setenv("TRUNKLINE_BASECAMP_API_URL", "https://proxy.example/basecamp/")
    settings = load(ProjectReaderSettings)
    assert settings.basecamp_account_id == "999"
    assert settings.basecamp_api_url == "https://proxy.example/basecamp"


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("BASECAMP_ACCOUNT_ID", "https://3.basecamp.com/9", "https://3.basecamp.com/NUMBER"),
        ("BASECAMP_ACCOUNT_ID", "٣", "https://3.basecamp.com/NUMBER"),
        ("TRUNKLINE_BASECAMP_API_URL", "3.basecampapi.com", "https://3.basecampapi.com"),
        ("TRUNKLINE_BASECAMP_API_URL", "https://me:secret@host", "password"),
        ("TRUNKLINE_BASECAMP_API_URL", "https://host/?a=b", "query"),
        ("TRUNKLINE_BASECAMP_CONTACT", "me) evil", "a URL or mail address"),
        ("TRUNKLINE_BASECAMP_CONCURRENCY", "0", "greater"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_fix(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, told: str
) -> None:
    """The variable, its value, and what it should be."""
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigurationError) as caught:
        load(ProjectReaderSettings)
    assert variable in str(caught.value)
    assert told in str(caught.value)
