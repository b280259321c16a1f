"""A tool's policy travels in `_meta` and is read back the same."""

import pytest
from pydantic import ValidationError

from trunkline_shared import meta
from trunkline_shared.contracts import Policy, Reads, Writes


def test_a_policy_is_read_back_from_its_meta_entry() -> None:
    """What a service writes, the router reads."""
    policy = Policy(
        reads=Reads(ttl_s=15, stale_s=600, tags=("gh:{owner}/{repo}#{pr_number}:comments",)),
        writes=Writes(tags=("gh:{owner}/{repo}",)),
        needs=("owner",),
        defaults={"pr_number": "twig.get_current_branch#pr_number"},
        write_group="delete",
        timeout_s=60,
    )
    assert Policy.model_validate(policy.to_meta()[meta.POLICY]) == policy


@pytest.mark.parametrize("wrong", [{"ttl": 1}, {"timeout_s": 0}, {"write_group": "everything"}])
def test_a_misspelt_policy_is_refused_at_start(wrong: dict[str, object]) -> None:
    """A typo in a declaration never silently means the default."""
    with pytest.raises(ValidationError):
        Policy.model_validate(wrong)
