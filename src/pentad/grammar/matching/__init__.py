"""General engine: hosts, search plans, matches, their effects, and states up to isomorphism."""
