"""Emitting: rules and trees as text for people, as a Python module, as SQL."""
