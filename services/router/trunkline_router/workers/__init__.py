"""The router as several processes: one that starts and ends them, and those that work."""
