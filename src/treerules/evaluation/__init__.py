"""Evaluation of trees and rules: metrics, importances, feature gains, rule metrics."""
