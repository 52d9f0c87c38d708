"""The engine for Pente and its relatives: a position for searching, threats, the search, bots at five levels."""
