"""Recipes: the record of a learner's options, the algorithms ID3, C4.5 and CART, recipe files."""
