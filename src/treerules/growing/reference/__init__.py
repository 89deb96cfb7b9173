"""The readable grower, which grows one node at a time; every other grower is compared with it."""
