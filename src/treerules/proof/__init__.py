"""Proofs about rules, with witness rows: check, diff, explain, review, edits, to_exclusive, tree_from_rules."""
