"""From a table to a tree: the learning problem, its encoding, and the growers."""
