"""Pack the schemas of the custom resources that `k8s/components` has, for the tests.

Usage, from the root of the checkout, with Go:

    export GOPATH=/tmp/custom-resources
    go mod download sigs.k8s.io/gateway-api@v1.4.0
    go mod download github.com/prometheus-operator/prometheus-operator@v0.85.0
    go mod download github.com/external-secrets/external-secrets@v1.3.2
    python -m tests.samples.extract_custom_resources $GOPATH/pkg/mod

All three are under the Apache License 2.0; the extract keeps that note, and leaves out all prose.
Unknown keys are errors in it, as they are for an API server that validates strictly.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import yaml

EXTRACT = Path(__file__).with_name("custom-resources.json.gz")  # tests.samples.CUSTOM_RESOURCES
_OPERATOR = "github.com/prometheus-operator/prometheus-operator@v0.85.0"
_SECRETS = "github.com/external-secrets/external-secrets@v1.3.2"
_SOURCES = (
    "sigs.k8s.io/gateway-api@v1.4.0/config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
    f"{_OPERATOR}/example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
    f"{_OPERATOR}/example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
    f"{_SECRETS}/config/crds/bases/external-secrets.io_externalsecrets.yaml",
)
_PROSE = frozenset({"description", "example", "externalDocs"})


def closed(node: Any, *, names: bool = False) -> Any:
    """Return a schema without prose, in which an object has no other keys than it names.

    `names` says that the keys of this node are a resource's own, and not the schema language's.
    """
    if isinstance(node, list):
        return [closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: closed(each, names=key == "properties" and not names)
        for key, each in node.items()
        if names or key not in _PROSE
    }
    is_open = kept.pop("x-kubernetes-preserve-unknown-fields", False)
    if not names and "properties" in kept and not is_open:
        kept.setdefault("additionalProperties", False)
    return {key: each for key, each in kept.items() if names or not key.startswith("x-kubernetes")}


def main(argv: list[str]) -> None:
    """Read the definitions, write the extract."""
    schemas: dict[str, Any] = {}
    for source in _SOURCES:
        definition = yaml.safe_load((Path(argv[1]) / source).read_text(encoding="utf-8"))["spec"]
        for version in definition["versions"]:
            schema = closed(version["schema"]["openAPIV3Schema"])
            schema["properties"]["metadata"] = {"type": "object"}
            kind = definition["names"]["kind"]
            schemas[f"{definition['group']}/{version['name']} {kind}"] = schema
    text = {"sources": _SOURCES, "license": "Apache-2.0, copyright their authors"}
    packed = json.dumps(text | {"schemas": schemas}, sort_keys=True, separators=(",", ":"))
    EXTRACT.write_bytes(gzip.compress(packed.encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    main(sys.argv)
