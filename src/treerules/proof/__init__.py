"""Verdicts with witnesses: check, check_list, diff, explain, edit, tree_of, made_exclusive."""
