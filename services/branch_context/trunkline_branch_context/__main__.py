"""Runs the branch-context service on its own: `python -m trunkline_branch_context [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_branch_context")
