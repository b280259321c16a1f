"""Runs the ci-status service on its own."""

from trunkline_ci_status.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
