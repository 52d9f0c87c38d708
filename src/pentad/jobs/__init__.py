"""Jobs in worker processes: a fair queue in front of them, heartbeats, and one pool for all that uses them."""
