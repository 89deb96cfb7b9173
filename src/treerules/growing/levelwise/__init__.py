"""The level-wise grower: all nodes of a level at once, with numpy only."""
