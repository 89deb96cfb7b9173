"""Verdicts with witnesses: check, check_list, diff, explain, edit, tree_from_rules, to_exclusive."""
