"""Stand-ins and test helpers, shipped so that every service tests alike."""
