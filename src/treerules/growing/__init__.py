"""Growth of a tree from a table: the learning problem, its encoding, and the growers."""
