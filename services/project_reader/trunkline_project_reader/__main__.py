"""Runs the project-reader service on its own."""

from trunkline_project_reader.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
