"""Comparison of predictors: emitted code with its model, or any two that answer rows."""
