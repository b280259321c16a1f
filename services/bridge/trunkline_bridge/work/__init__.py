"""Everything about the work at hand, of all servers, in one call."""
