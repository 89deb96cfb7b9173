"""Rules as Python modules: of the standard library, and of numpy for whole columns."""
