"""What the cache promises: repeated reads cost nothing, and none is ever stale."""

from tests.requirement import Requirement

CACHE: dict[str, Requirement] = {}
