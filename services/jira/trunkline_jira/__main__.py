"""Runs the jira service on its own: `python -m trunkline_jira [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_jira")
