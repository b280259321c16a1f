"""Pack the JSON schema of the Compose Specification for the tests.

Usage, from the root of the checkout:

    pip download --no-deps check-jsonschema==0.37.4
    unzip check_jsonschema-0.37.4-py3-none-any.whl
    python tests/samples/extract_compose_schema.py check_jsonschema

The schema is the Compose Specification's own, under the Apache License 2.0, as check-jsonschema
0.37.4 carries it; the extract keeps that note, and leaves out all prose.
"""

import gzip
import json
import sys
from pathlib import Path

from tests.samples.extract_adf_schema import structure

EXTRACT = Path(__file__).with_name("compose-schema.json.gz")  # tests.samples.COMPOSE_SCHEMA


def main(argv: list[str]) -> None:
    """Read the package, write the extract."""
    path = Path(argv[1]) / "builtin_schemas/vendor/compose-spec.json"
    schema = structure({"schema": json.loads(path.read_text(encoding="utf-8"))})
    source = {
        "source": "github.com/compose-spec/compose-spec, schema/compose-spec.json",
        "package": "check-jsonschema",
        "version": "0.37.4",
        "license": "Apache-2.0, copyright The Compose Specification Authors",
    }
    text = json.dumps(source | schema, sort_keys=True, separators=(",", ":"))
    EXTRACT.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    main(sys.argv)
