"""The tree as a value and its walks: nodes, predictions, split tests, routing, prediction, JSON."""
