"""The readable grower: one node at a time, every other grower is compared with it."""
