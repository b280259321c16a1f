"""What the cache promises: repeated reads cost nothing, and none is ever stale."""

from tests.requirement import OPERATORS, Requirement

CACHE: dict[str, Requirement] = {
    # What operators see and do of it
    "cache.feed": Requirement(
        OPERATORS, "each bump is heard at every router, or else that some may have been missed"
    ),
    "cache.page": Requirement(
        OPERATORS, "/api/cache tells what the cache does, to those who may observe"
    ),
    "cache.invalidate": Requirement(
        OPERATORS, "an admin spoils what is kept under a tag, at every router, and others cannot"
    ),
    "cache.watch": Requirement(
        OPERATORS, "bumps can be watched as they happen, by those who may, until the router ends"
    ),
    "cache.status": Requirement(
        OPERATORS, "/status and `trunkline status` say whether the cache is on, and if not why"
    ),
    "cache.metrics": Requirement(
        OPERATORS, "/metrics is what Prometheus reads, and counts each thing once"
    ),
    "cache.command": Requirement(
        OPERATORS, "`trunkline cache` shows, invalidates and watches, and says what is wrong"
    ),
    "cache.terms": Requirement(
        OPERATORS, "the cache's keys of trunkline.yaml are checked, and act on a reload"
    ),
}
