"""Signed texts and the cursors made of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from trunkline_shared.cursor import Cursors
from trunkline_shared.errors import InvalidInput
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.signing import SigningKeys, SigningSettings

OLD, NEW = "an-old-secret-of-the-mesh", "a-new-secret-of-the-mesh"


def keys(secret: str) -> SigningKeys:
    return SigningKeys.of(SigningSettings(secret=SecretStr(secret))).derived("cursor")


@given(st.binary(max_size=200))
def test_what_is_sealed_is_opened(content: bytes) -> None:
    """Any bytes, by every replica that has the secret."""
    assert keys(NEW).opened(keys(NEW).sealed(content)) == content


@given(st.text(max_size=60))
def test_no_other_text_is_opened(text: str) -> None:
    """Neither chance nor a caller finds a signature."""
    assert keys(NEW).opened(text) is None


def test_one_changed_character_is_noticed() -> None:
    """The content is readable, and not to be changed."""
    sealed = keys(NEW).sealed(b"page=2")
    changed = [
        sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :] for at in (0, 9, 25)
    ]
    assert [keys(NEW).opened(one) for one in changed] == [None, None, None]


def test_a_secret_is_replaced_without_breaking_what_is_out() -> None:
    """Newest first: the old one still opens, and no longer signs."""
    both = keys(f"{NEW}, {OLD}")
    assert both.opened(keys(OLD).sealed(b"x")) == b"x"
    assert keys(NEW).opened(both.sealed(b"x")) == b"x"
    assert keys(OLD).opened(both.sealed(b"x")) is None


def test_a_key_is_good_for_one_purpose() -> None:
    """A cursor is no job token."""
    root = SigningKeys.of(SigningSettings(secret=SecretStr(NEW)))
    assert root.derived("job").opened(root.derived("cursor").sealed(b"x")) is None


def test_without_a_secret_each_process_has_its_own() -> None:
    """Nothing is signed with a key that everybody knows."""
    assert keys("").opened(keys("").sealed(b"x")) is None


def test_a_secret_that_can_be_guessed_is_refused_and_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The variable is named, its value is not."""
    monkeypatch.setenv("TRUNKLINE_SECRET", "swordfish")
    with pytest.raises(ConfigurationError, match="TRUNKLINE_SECRET") as refused:
        load(SigningSettings)
    assert "swordfish" not in str(refused.value)


@given(st.text(max_size=80), st.lists(st.text(max_size=10) | st.integers(), max_size=3))
def test_a_cursor_leads_back_to_its_place(place: str, question: list[object]) -> None:
    """Whatever the vendor's links and tokens look like."""
    try:
        place.encode()
    except UnicodeEncodeError:
        return
    cursors = Cursors(keys(NEW))
    assert cursors.read(cursors.written(place, *question), *question) == place


def test_a_cursor_of_another_version_is_refused() -> None:
    """A replica that is not yet, or no longer, of this version signs with the same key."""
    with pytest.raises(InvalidInput, match="cursor is not one"):
        Cursors(keys(NEW)).read(keys(NEW).sealed(b'["0011223344556677","2"]'), "q")


@pytest.mark.parametrize("cursor", ["2", "eyJwYWdlIjoyfQ", "é", "=" * 50])
def test_a_made_up_cursor_is_refused(cursor: str) -> None:
    """A caller cannot send the server anywhere."""
    with pytest.raises(InvalidInput, match="cursor is not one"):
        Cursors(keys(NEW)).read(cursor, "q")


def test_a_cursor_of_another_question_is_refused() -> None:
    """A page of one list is no page of another."""
    cursors = Cursors(keys(NEW))
    with pytest.raises(InvalidInput, match="other arguments"):
        cursors.read(cursors.written("2", "list_todos", 7), "list_todos", 8)


def test_no_cursor_is_the_beginning() -> None:
    """As the argument's own default has it."""
    assert Cursors(keys(NEW)).read("", "q") == ""
