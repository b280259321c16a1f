"""What keeps one sick server from hurting the others: breakers, bulkheads, throttled windows."""
