"""Pages that answer: what a script in a page needs to know of a model."""
