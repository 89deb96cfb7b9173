"""Choosing by cross-validation: how much to prune, and which recipe to use."""

from treerules.selection.cross import CpRow, CrossValidation, cross_validate
from treerules.selection.grid import Grid, GridRow, grid

__all__ = ("CpRow", "CrossValidation", "Grid", "GridRow", "cross_validate", "grid")
