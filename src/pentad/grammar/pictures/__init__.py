"""Pictures of grammars: what is drawn, where it stands, how arrows run, and how it looks."""
