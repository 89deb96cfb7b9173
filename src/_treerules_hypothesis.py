"""What hypothesis runs when it is imported: its entry point, so that `from_type(Tree)` needs no import of ours.

It stands outside the package, so that hypothesis does not load treerules. Where treerules comes later, it registers its
types itself.
"""

import sys


def register() -> None:
    """Register the types of treerules, if it is loaded."""
    if "treerules" in sys.modules:
        from treerules.testing.registration import register

        register()
