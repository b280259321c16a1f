"""What is promised of images, Compose, Kubernetes and releases."""

from tests.requirement import OPERATORS, USERS, Requirement

SHIPPING: dict[str, Requirement] = {
    "shipping.probe": Requirement(
        OPERATORS, "a container's probe says what it found in place of a server that is well"
    ),
    "shipping.docs-blocks": Requirement(
        USERS, "each block of README and docs is executed, loaded or parsed, and marked which"
    ),
    "shipping.docs-connect": Requirement(
        USERS, "docs/connect.md shows each client what connect prints, and code that runs"
    ),
}
