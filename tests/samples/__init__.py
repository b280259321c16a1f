"""Recorded documents that nobody here wrote."""

from pathlib import Path

GITHUB_OPENAPI = Path(__file__).with_name("github-openapi.json.gz")
GITHUB_EXAMPLES = Path(__file__).with_name("github-examples.json.gz")
ADF_SCHEMA = Path(__file__).with_name("adf-schema.json.gz")
BASECAMP_READS = Path(__file__).with_name("basecamp-reads.json")
COMPOSE_SCHEMA = Path(__file__).with_name("compose-schema.json.gz")
CUSTOM_RESOURCES = Path(__file__).with_name("custom-resources.json.gz")
