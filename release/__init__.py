"""How a version of Trunkline is made: `python -m release`, or make images and make release."""
