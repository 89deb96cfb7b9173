"""What is asked of a learner: the record of its choices, ID3, C4.5 and CART as values of it, recipe files."""
