"""Array engine: explores grammars whose graphs grow and shrink, with graphs as sorted arrays and rules as tables."""
