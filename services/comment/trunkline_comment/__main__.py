"""Runs the comment service on its own: `python -m trunkline_comment [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_comment")
