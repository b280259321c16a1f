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
    "shipping.docs-compose": Requirement(
        OPERATORS, "docs/deploy-compose.md names the secrets, networks and variables that there are"
    ),
    "shipping.docs-service": Requirement(
        USERS, "docs/add-a-service.md adds a server to compose.yaml and k8s/ in their own shape"
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
    "shipping.images-command": Requirement(
        OPERATORS, "make images builds each service's image, for other platforms too"
    ),
    "shipping.release-one-version": Requirement(
        OPERATORS, "all members, the lock, Kubernetes and the servers tell one version"
    ),
    "shipping.release-changelog": Requirement(
        OPERATORS, "what was unreleased stands in the changelog under the version and its date"
    ),
    "shipping.release-checks": Requirement(
        OPERATORS, "a version that cannot be made is refused before anything is written"
    ),
    "shipping.release-resumed": Requirement(
        OPERATORS, "a version whose making failed is gone on with by the same command"
    ),
    "shipping.release-sbom": Requirement(
        OPERATORS, "a version's images come with lists of what is in them, and hold what is locked"
    ),
    "shipping.images-dockerfile": Requirement(
        OPERATORS, "the images' recipe is linted, builds with either builder, and fetches no image"
    ),
    "shipping.images-lean": Requirement(
        OPERATORS, "images are small, hold one service each, and nothing that builds or stands in"
    ),
    "shipping.images-confined": Requirement(
        OPERATORS, "images start as any user, with nothing writable and no capability"
    ),
    "shipping.images-secrets": Requirement(OPERATORS, "no secret is in an image or its history"),
    "shipping.images-labels": Requirement(
        OPERATORS, "an image says what it is, of which version and from which commit"
    ),
    "shipping.up-ready": Requirement(
        USERS, "make up leads from nothing to a mesh that answers, and says all that a client needs"
    ),
    "shipping.up-twice": Requirement(
        USERS, "make up again changes nothing: keys and secrets stay, and two at once do no harm"
    ),
    "shipping.up-key": Requirement(
        USERS, "make up makes a key on its first run; one that was revoked stays revoked"
    ),
    "shipping.up-modes": Requirement(
        OPERATORS, "secrets are read by containers of any user, and by no other user of the machine"
    ),
    "shipping.up-credentials": Requirement(
        USERS, "credentials in the environment become secrets, are kept, and are never shown"
    ),
    "shipping.up-checkout": Requirement(
        USERS, "a checkout of whichever owner is served; one that cannot be is said to be so"
    ),
    "shipping.up-demo": Requirement(
        USERS, "make up DEMO=1 calls every vendor's stand-in with nothing of the caller's accounts"
    ),
    "shipping.up-failures": Requirement(
        USERS,
        "what keeps the mesh from starting is named with the fix and the last words, no secret",
    ),
    "shipping.up-observability": Requirement(
        OPERATORS, "make up OBSERVABILITY=1 has traces collected, and Prometheus read the metrics"
    ),
    "shipping.up-redis": Requirement(
        OPERATORS, "in Redis each container does what it needs, and can touch nothing else"
    ),
    "shipping.system-server-killed": Requirement(
        OPERATORS,
        "a killed server costs its own callers a typed error in time, nobody else anything, "
        "and is found within 10 s of its return",
    ),
    "shipping.system-server-hangs": Requirement(
        OPERATORS, "the calls of a server that hangs end with their time, all others go on"
    ),
    "shipping.system-restarts": Requirement(OPERATORS, "a container that ends is started again"),
    "shipping.system-once": Requirement(
        USERS, "whatever container is lost, nothing is written twice and no later read is stale"
    ),
    "shipping.system-redis-lost": Requirement(
        OPERATORS, "without Redis, with one that hangs or has lost everything, all calls go on"
    ),
    "shipping.system-router-killed": Requirement(
        OPERATORS, "a killed router is well within 10 s of its return"
    ),
    "shipping.system-store": Requirement(
        OPERATORS, "the store keeps its contract with the Redis that the mesh ships with"
    ),
    "shipping.up-bounds": Requirement(
        OPERATORS, "a bound that held for a mesh in containers is not lost by the next make up"
    ),
    "shipping.system-update": Requirement(
        OPERATORS, "a container is replaced as in an update: typed answers, and waits that resume"
    ),
    "shipping.system-down": Requirement(
        OPERATORS, "ending leaves no container, no network, and a volume only unless asked"
    ),
}
