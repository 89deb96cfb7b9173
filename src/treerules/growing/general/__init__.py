"""The compiled grower of classifications with weights, factors, gain ratio, and categories of many classes."""
