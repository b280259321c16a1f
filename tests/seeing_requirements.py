"""What can be seen of a mesh: a trace per call, measurements, logs, and the page that shows it."""

from tests.requirement import OPERATORS, Requirement

SEEING: dict[str, Requirement] = {
    # One trace per call
    "seeing.followers": Requirement(
        OPERATORS, "a read that joined another one's is linked to the trace of the one who asked"
    ),
    "seeing.store": Requirement(
        OPERATORS, "each time that a call waits for Redis is a step of its trace"
    ),
    "seeing.queue": Requirement(OPERATORS, "the wait for a server's slot is a step of the trace"),
    "seeing.breaker": Requirement(
        OPERATORS, "a call that an open breaker refuses has a trace that says so"
    ),
    "seeing.quota": Requirement(
        OPERATORS, "a call's trace tells what it left of the vendor's quota"
    ),
}
