"""Pack the JSON schemas of the Atlassian Document Format for the tests.

Usage, from the root of the checkout, with npm at hand:

    npm pack @atlaskit/adf-schema@57.7.22
    tar xzf atlaskit-adf-schema-57.7.22.tgz
    python tests/samples/extract_adf_schema.py package

The schemas are under the Apache License 2.0, copyright Atlassian Pty Ltd; the extract keeps that
note. It leaves out all prose: the contract is the structure. `full` is what everybody may write,
`stage-0` has the types that are still tried out as well.
"""

import gzip
import json
import sys
from pathlib import Path

EXTRACT = Path(__file__).with_name("adf-schema.json.gz")  # tests.samples.ADF_SCHEMA
STAGES = ("full", "stage-0")

Tree = dict[str, "Node"]
Node = Tree | list["Node"] | str | int | float | bool | None


def main(argv: list[str]) -> None:
    """Read the package, write the extract."""
    package = Path(argv[1])
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    schemas = {
        stage: json.loads(
            (package / f"dist/json-schema/v1/{stage}.json").read_text(encoding="utf-8")
        )
        for stage in STAGES
    }
    licence = f"{about['license']}, copyright Atlassian Pty Ltd"
    source = {"package": about["name"], "version": about["version"], "license": licence}
    text = json.dumps(source | structure(schemas), sort_keys=True, separators=(",", ":"))
    EXTRACT.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


def structure(schemas: Tree) -> Tree:
    """Return the schemas without their descriptions."""
    return {name: _bare(schema) for name, schema in schemas.items()}


def _bare(node: Node) -> Node:
    if isinstance(node, list):
        return [_bare(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _bare(one)
        for key, one in node.items()
        if not (key == "description" and isinstance(one, str))
    }


if __name__ == "__main__":
    main(sys.argv)
