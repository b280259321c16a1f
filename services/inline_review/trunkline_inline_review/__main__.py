"""Runs the inline-review service on its own."""

from trunkline_inline_review.service import SERVICE
from trunkline_shared.serve import main

if __name__ == "__main__":
    main(SERVICE)
