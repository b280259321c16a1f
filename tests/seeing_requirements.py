"""What can be seen of a mesh: a trace per call, measurements, logs, and the page that shows it."""

from tests.requirement import Requirement

SEEING: dict[str, Requirement] = {}
