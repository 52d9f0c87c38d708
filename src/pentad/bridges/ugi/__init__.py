"""Universal Game Interface, both ends: pentad as an engine for any manager, and any engine as a player for pentad."""
