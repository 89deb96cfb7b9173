"""Rules as values: conditions, rules, rule sets, rule lists; compiling a tree, words, boundary rows."""
