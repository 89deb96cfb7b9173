"""The grower in numpy alone: all nodes of a level at once."""
