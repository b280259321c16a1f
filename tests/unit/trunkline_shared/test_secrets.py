"""Secrets are recognised, named by kind and never repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.secrets import find_secrets, redact

SAMPLES = {
    "GitHub token": "ghp_" + "a1B2" * 9,
    "Slack token": "xoxb-123456789012-abcdefghij",
    "AWS access key": "AKIA" + "ABCDEFGHIJKLMNOP",
    "Anthropic key": "sk-ant-" + "api03-" + "x" * 30,
    "OpenAI key": "sk-proj-" + "y" * 40,
    "JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "private key": "-----BEGIN RSA PRIVATE KEY-----",
    "Trunkline key": "tl_ci-bot_" + "z" * 32,
}


@pytest.mark.parametrize(("kind", "secret"), SAMPLES.items())
def test_a_secret_in_a_text_is_found_and_hidden(kind: str, secret: str) -> None:
    """Its kind is told, its text is gone."""
    text = f"look: {secret} end"
    assert list(find_secrets(text)) == [kind]
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "a plain comment about tokens and keys",
        "commit 3e807ec3f0d4a5b6c7d8e9f0a1b2c3d4e5f60718",
        "risk-adjusted-returns-of-a-long-hyphenated-phrase",
        "tl_dr",
        "SyntaxError: Unexpected token identifier",
        "token authentication failed.",
        "Error: bad token endpoint.",
        "basic assumptions; bearer certificates",
    ],
)
def test_ordinary_text_holds_no_secret(text: str) -> None:
    """Hashes and hyphens pass."""
    assert list(find_secrets(text)) == []
    assert redact(text) == text


def test_an_authorization_value_is_hidden_whatever_its_form() -> None:
    """Bearer and basic credentials leave only their scheme."""
    assert redact("Authorization: Bearer abcdefghijklmnop") == "Authorization: Bearer [redacted]"
    assert redact("basic dXNlcjpwYXNzd29yZA==") == "basic [redacted]"
    for value in ("s3cret-token", "some.header", "abcdeFghij", "hunter/two", "with_underscore"):
        assert redact(f"Token {value}") == "Token [redacted]"
        assert redact(f"BEARER {value}") == "BEARER [redacted]"


@given(
    st.lists(
        st.sampled_from([
            *SAMPLES.values(),
            " ",
            "x",
            "_",
            "-",
            ".",
            "sk-",
            "tl_",
            "eyJ",
            "gh",
            "é",
        ]),
        max_size=8,
    )
)
def test_as_many_secrets_are_found_as_are_hidden(parts: list[str]) -> None:
    """However they stand beside each other."""
    text = "".join(parts)
    assert len(list(find_secrets(text))) == redact(text).count("[")
