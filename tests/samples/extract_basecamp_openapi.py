"""Extract what Basecamp's own description says of reading: paths and their query parameters.

Usage, from the root of the checkout, with npm at hand:

    npm pack @37signals/basecamp@0.7.3
    tar xzf 37signals-basecamp-0.7.3.tgz
    python tests/samples/extract_basecamp_openapi.py package

The description is under the MIT License, copyright 37signals; the extract keeps that note. It
leaves out all types: they deny nulls that the API sends.
"""

import json
import sys
from pathlib import Path
from typing import Any

EXTRACT = Path(__file__).with_name("basecamp-reads.json")  # tests.samples.BASECAMP_READS
DESCRIPTION = "dist/generated/openapi-stripped.json"


def main(argv: list[str]) -> None:
    """Read the package, write the extract."""
    package = Path(argv[1])
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    described = json.loads((package / DESCRIPTION).read_text(encoding="utf-8"))
    source = {
        "package": about["name"],
        "version": about["version"],
        "license": f"{about['license']}, copyright 37signals",
        "reads": reads(described["paths"]),
    }
    EXTRACT.write_text(json.dumps(source, indent=1) + "\n", encoding="utf-8")


def reads(paths: dict[str, Any]) -> dict[str, list[str]]:
    """Return the query parameters of each path that can be read."""
    return {
        path: [one["name"] for one in operations["get"].get("parameters", []) if is_query(one)]
        for path, operations in sorted(paths.items())
        if "get" in operations
    }


def is_query(parameter: dict[str, Any]) -> bool:
    """Say whether a parameter stands in the query."""
    return bool(parameter["in"] == "query")


if __name__ == "__main__":
    main(sys.argv)
