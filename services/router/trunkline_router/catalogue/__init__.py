"""What the servers offer, as agents see it."""
