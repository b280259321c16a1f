"""A job token says what it was minted with, as long as it holds, and to this mesh alone."""

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.access.job_tokens import Grant, JobTokens
from trunkline_router.context import Context
from trunkline_router.wire.refusal import Refused
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.testing.fake_clock import FakeClock

SECRET = "one-secret-of-this-mesh"
BASE = "https://trunkline.example"


def tokens(clock: FakeClock | None = None, *, secret: str = SECRET, base: str = BASE) -> JobTokens:
    keys = SigningKeys.of(SigningSettings.model_validate({"secret": secret}))
    return JobTokens(keys=keys.derived("job tokens"), base=base, clock=clock or FakeClock())


def grant(clock: FakeClock, *, seconds: float = 10) -> Grant:
    return Grant(
        subject="ci-bot",
        scopes=frozenset({"tools", "observe"}),
        context=Context.of([("owner", "acme"), ("pr_number", 12), ("branch", "feature/é")]),
        expires=clock.now() + seconds,
        depth=2,
    )


@pytest.mark.requirement("router.delegation-narrow")
def test_a_token_says_what_it_was_minted_with() -> None:
    """Subject, scopes, context, depth and end; each token is one of its own."""
    clock = FakeClock()
    made = tokens(clock)
    one, other = made.minted(grant(clock)), made.minted(grant(clock))
    assert made.read(one) == made.read(other) == grant(clock)
    assert one != other


@pytest.mark.requirement("router.delegation-narrow")
def test_a_token_holds_until_its_end_and_not_a_moment_longer() -> None:
    """The clock decides, to the fraction of a second."""
    clock = FakeClock()
    made = tokens(clock)
    token = made.minted(grant(clock, seconds=1.5))
    clock.advance(1.4)
    assert made.read(token) is not None
    clock.advance(0.1)
    with pytest.raises(Refused, match="expired") as caught:
        made.read(token)
    assert caught.value.status == 401


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"base": "https://other.example"}, "another mesh"),
        ({"secret": "another-secret-of-ours"}, "not valid"),
        ({"secret": f"a-new-secret-of-ours,{SECRET}"}, ""),
        ({"secret": f"{SECRET},an-old-secret-of-ours"}, ""),
    ],
)
@pytest.mark.requirement("router.delegation-narrow")
def test_only_the_mesh_that_signed_a_token_takes_it(other: dict[str, str], said: str) -> None:
    """Every secret of the list verifies."""
    clock = FakeClock()
    token = tokens(clock).minted(grant(clock))
    if not said:
        assert tokens(clock, **other).read(token) == grant(clock)
        return
    with pytest.raises(Refused, match=said) as caught:
        tokens(clock, **other).read(token)
    assert caught.value.status == 401
    assert token not in caught.value.message


@pytest.mark.parametrize(
    "change",
    [
        {"bind": {"owner": "a/b"}}, {"bind": {"planet": 1}}, {"bind": None}, {"depth": -1},
        {"scopes": "tools"}, {"sub": None}, {"exp": "soon"}, {"aud": None}, {"jti": None},
        {"exp": None}, {"iss": "https://other.example"},
    ],
)  # fmt: skip
@pytest.mark.requirement("router.delegation-narrow")
def test_a_signed_token_of_another_form_is_none_of_ours(change: dict[str, object]) -> None:
    """A claim that is missing or makes no sense is not guessed."""
    clock = FakeClock()
    made = tokens(clock)
    token = made.minted(grant(clock))
    header = jwt.get_unverified_header(token)
    claims = jwt.decode(token, options={"verify_signature": False}) | change
    kept = {name: value for name, value in claims.items() if value is not None}
    odd = jwt.encode(kept, made.keys.keys[0], "HS256", headers=header)
    with pytest.raises(Refused) as caught:
        made.read(odd)
    assert caught.value.status == 401


@given(st.text(max_size=60) | st.from_regex(r"[\w-]+\.[\w-]+\.[\w-]*", fullmatch=True))
def test_any_other_bearer_is_no_job_token(bearer: str) -> None:
    """Somebody else may know it."""
    assert tokens().read(bearer) is None


@pytest.mark.parametrize("part", [0, 1, 2])
def test_a_bearer_of_bytes_that_are_no_text_is_no_job_token(part: int) -> None:
    """A header's bytes beyond ASCII come as halves of characters; no token has any."""
    parts = tokens().minted(grant(FakeClock())).split(".")
    parts[part] += "\udcff"
    assert tokens().read(".".join(parts)) is None


@pytest.mark.requirement("secrets.logs")
def test_keys_are_not_in_a_representation() -> None:
    """What is logged by mistake tells nothing."""
    made = tokens()
    assert str(made.keys.keys[0]) not in repr(made)
