"""From a tree to a smaller tree, one file a method."""
