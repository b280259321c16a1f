"""Runs the bridge on its own: `python -m trunkline_bridge [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_bridge")
