"""Learn a decision tree, compile it into rules proved exclusive and complete, ship them as plain Python or SQL."""
