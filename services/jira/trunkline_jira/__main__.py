"""Runs the jira service on its own."""

from trunkline_jira.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
