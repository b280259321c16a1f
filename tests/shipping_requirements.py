"""What is promised of images, Compose, Kubernetes and releases."""

from tests.requirement import OPERATORS, Requirement

SHIPPING: dict[str, Requirement] = {
    "shipping.probe": Requirement(
        OPERATORS, "a container's probe says what it found in place of a server that is well"
    ),
}
