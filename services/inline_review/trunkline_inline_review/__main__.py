"""Runs the inline-review service on its own: `python -m trunkline_inline_review [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_inline_review")
