"""What every vendor core shares: credentials, addresses, pages, limits, one transport."""
