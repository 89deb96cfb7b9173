"""Rules as a Python module that needs nothing, or nothing but numpy."""
