"""Runs the branch-context service on its own: `python -m trunkline_branch_context [--stdio]`."""

from trunkline_branch_context.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
