"""What a call may cost, in bare handlers and in bare hops, whichever part measures it."""

HIT = 2.2
"""A read that is answered by what was kept, in bare handlers: traced, and by a caller's key."""
HIT_UNTRACED = 1.5
HIT_THROUGH_REDIS = 5.0
LIST_OF_200 = 2.0
RELAY = 1.1
"""A relayed and traced call, in bare hops."""
LEGACY_RELAY = 1.5
TWO_WORKERS = 1.1
"""What a request may cost two workers, in the same of one."""
ENVOY = 1.2
"""What a traced hit may cost, in calls that Envoy proxies without a trace."""
PYTHON = 0.1
"""What a relayed call may cost, in the same of the best peer that is written in Python."""
