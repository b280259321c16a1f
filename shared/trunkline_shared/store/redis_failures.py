"""What says that Redis could not be asked: the client's words for it, and the event loop's."""

from redis.exceptions import RedisError

FAILURES = (RedisError, OSError, RuntimeError)
"""uvloop raises RuntimeError at a write to a lost connection, and the client passes it on."""
