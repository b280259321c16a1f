"""What can be seen of a mesh: one trace per call, measurements, logs, and the page that shows them."""

from tests.requirement import Requirement

SEEING: dict[str, Requirement] = {}
