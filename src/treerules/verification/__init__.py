"""Emitted code run beside the model that it was made of."""
