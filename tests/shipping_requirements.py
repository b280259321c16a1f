"""What is promised of images, Compose, Kubernetes and releases."""

from tests.requirement import OPERATORS, USERS, Requirement

SHIPPING: dict[str, Requirement] = {
    "shipping.probe": Requirement(
        OPERATORS, "a container's probe says what it found in place of a server that is well"
    ),
    "shipping.docs-blocks": Requirement(
        USERS, "each block of README and docs is executed, loaded or parsed, and marked which"
    ),
    "shipping.docs-links": Requirement(
        USERS, "each link of the docs leads to a page and a heading, and the index to each page"
    ),
    "shipping.docs-settings": Requirement(
        OPERATORS, "each variable is in one table: what it means, its default, and who reads it"
    ),
    "shipping.docs-troubleshooting": Requirement(
        USERS, "docs/troubleshooting.md has an entry for each error code, with what to do"
    ),
    "shipping.docs-connect": Requirement(
        USERS, "docs/connect.md shows each client what connect prints, and code that runs"
    ),
    "shipping.end-readiness": Requirement(
        OPERATORS, "a server that ends says so first, and serves on until connections go elsewhere"
    ),
    "shipping.end-calls": Requirement(
        OPERATORS, "calls in flight end well, or say in time how they ended"
    ),
    "shipping.end-waits": Requirement(
        OPERATORS, "waits and streams end at once, in a way that says how to go on"
    ),
    "shipping.end-rolling": Requirement(
        OPERATORS, "a server's processes are replaced one after the other without a failed call"
    ),
    "shipping.end-return": Requirement(
        OPERATORS, "a server that comes back, at another address too, is well within 10 s"
    ),
    "shipping.end-hurry": Requirement(
        OPERATORS, "a second signal hurries a server's end; nothing is left, nothing complained of"
    ),
    "shipping.system-ready": Requirement(
        OPERATORS, "a mesh that says it is up has every container well and every server there"
    ),
    "shipping.system-calls": Requirement(
        OPERATORS, "in containers every server answers reads and writes, to clients of every era"
    ),
    "shipping.system-traces": Requirement(
        OPERATORS, "a trace holds the spans of the server's container too"
    ),
    "shipping.system-redis": Requirement(
        OPERATORS, "router and servers use the mesh's Redis, each with its own rights"
    ),
    "shipping.k8s-checkout": Requirement(
        OPERATORS, "branch-context's checkout follows its remote, and its token is kept to it"
    ),
    "shipping.k8s-checkout-remote-gone": Requirement(
        OPERATORS, "while the git host is gone, the last checkout is served and new pods wait"
    ),
    "shipping.system-confined": Requirement(
        OPERATORS, "no container can write to its system, has or gains a right, or is unbounded"
    ),
    "shipping.system-any-user": Requirement(OPERATORS, "every image runs as any user"),
    "shipping.system-secrets": Requirement(
        OPERATORS, "no secret can be read off an image, a container, its logs or its environment"
    ),
    "shipping.system-networks": Requirement(
        OPERATORS, "containers reach whom they need and nobody else; one port is published"
    ),
    "shipping.k8s-schemas": Requirement(
        OPERATORS, "each overlay, with each component, is valid against the schemas of the API"
    ),
    "shipping.k8s-confined": Requirement(
        OPERATORS, "every pod is restricted: no root, a read-only image, limits, versioned images"
    ),
    "shipping.k8s-lives": Requirement(
        OPERATORS, "pods are probed, replaced one after the other, spread, and end in their time"
    ),
    "shipping.k8s-network": Requirement(
        OPERATORS, "in a cluster who reaches whom is the design's list, and nobody else does"
    ),
    "shipping.k8s-wiring": Requirement(
        OPERATORS, "what Kubernetes objects name is there: pods, ports, keys, variables, rules"
    ),
    "shipping.k8s-secrets": Requirement(
        OPERATORS, "one command makes a cluster's secrets, and no file of the project has any"
    ),
    "shipping.system-memory": Requirement(OPERATORS, "an idle container takes 110 MiB at most"),
}
