"""The public verbs: learn, relearn, cross-validate, compare recipes."""
