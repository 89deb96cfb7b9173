"""A check for users: does emitted code answer as its model does?"""

from treerules.verify.answers import Raised
from treerules.verify.equivalence import Difference, DifferentAnswersError, Equivalence, assert_equivalent, verify

__all__ = ("Difference", "DifferentAnswersError", "Equivalence", "Raised", "assert_equivalent", "verify")
