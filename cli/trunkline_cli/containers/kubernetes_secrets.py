"""The mesh's secrets and configuration as the Kubernetes objects that `k8s/` refers to."""

import base64
from collections.abc import Mapping
from typing import Any

from trunkline_cli.containers.mesh_secrets import names
from trunkline_cli.containers.redis_access import USERS
from trunkline_cli.containers.state_folder import StateFolder, text_of
from trunkline_cli.failure import USAGE, CommandFailed
from trunkline_shared.store.redis_url import HOW, parse

NAMESPACE = "trunkline"
SECRETS, CONFIGURATION = "secrets", "configuration"
_REDIS_URLS = frozenset(user.secret for user in USERS)


def objects(state: StateFolder, namespace: str, redis: str = "") -> dict[str, Any]:
    """Return a list of the namespace and both Secrets, as `kubectl apply` takes it.

    `redis` is where Redis is, if not in the cluster. Raises CommandFailed.
    """
    values = {name: text_of(state.secret_file(name)) for name in names()}
    if redis:
        _check(redis)
        values |= {name: at(redis, values[name]) for name in _REDIS_URLS}
    configuration = {"trunkline.yaml": text_of(state.configuration)}
    return {
        "apiVersion": "v1",
        "kind": "List",
        "items": [
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}},
            _secret(SECRETS, namespace, values),
            _secret(CONFIGURATION, namespace, configuration),
        ],
    }


def at(redis: str, url: str) -> str:
    """Return a member's URL for Redis at another place: as itself, unless the place has a user."""
    scheme, _, place = redis.partition("://")
    if "@" in place:
        return redis
    user = url.partition("://")[2].rpartition("@")[0]
    return f"{scheme}://{user}@{place}"


def _check(redis: str) -> None:
    try:
        parse(redis)
    except ValueError as error:
        raise CommandFailed(f"TRUNKLINE_REDIS_URL names no Redis ({error}); {HOW}", USAGE) from None


def _secret(name: str, namespace: str, values: Mapping[str, str]) -> dict[str, Any]:
    encoded = {key: base64.b64encode(value.encode()).decode() for key, value in values.items()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": "Opaque",
        "data": encoded,
    }
