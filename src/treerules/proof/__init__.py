"""Proofs about rules, with witnesses: check, diff, explain, review, edits, to_exclusive, tree_from_rules."""
