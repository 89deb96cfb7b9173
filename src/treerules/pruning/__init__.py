"""Pruning methods: each replaces splits of a tree by leaves, one file per method."""
