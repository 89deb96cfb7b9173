"""The grower of trees that are a leaf alone: nothing is encoded and no split is searched."""
