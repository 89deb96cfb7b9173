"""Exact geometry of many rules: boxes in a space, their partition, overlaps, difference, union and coverage."""
