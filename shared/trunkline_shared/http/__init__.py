"""The outbound HTTP client: one exchange, its retries, and what may be answered from memory."""
