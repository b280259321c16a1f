"""Runs the ci-status service on its own: `python -m trunkline_ci_status [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_ci_status")
