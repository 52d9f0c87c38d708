"""Engine for Pente and its relatives: search position, threat search, alpha-beta search and bots at five levels."""
