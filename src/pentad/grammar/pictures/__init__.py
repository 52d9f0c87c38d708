"""Pictures of grammars: elements, layout, edge routing and SVG."""
