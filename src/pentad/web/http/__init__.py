"""What every page and route uses of HTTP: addresses, sessions, limits, headers, assets and logs."""
