"""Runs the project-reader service on its own: `python -m trunkline_project_reader [--stdio]`."""

from trunkline_shared.launch import launch

if __name__ == "__main__":
    launch("trunkline_project_reader")
