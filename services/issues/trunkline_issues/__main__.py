"""Runs the issues service on its own: `python -m trunkline_issues [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_issues")
