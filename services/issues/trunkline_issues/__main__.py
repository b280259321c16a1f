"""Runs the issues service on its own."""

from trunkline_issues.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
