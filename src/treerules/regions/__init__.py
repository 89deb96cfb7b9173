"""The exact geometry of many rules: space, partition, overlaps, difference, coverage."""
