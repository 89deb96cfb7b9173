"""How good a tree and its rules are: metrics, importances, feature gains, rule metrics."""
