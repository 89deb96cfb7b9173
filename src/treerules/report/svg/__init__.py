"""Pictures of results in SVG: trees, and plots."""
