"""What hypothesis runs when it is imported: its entry point, so that `from_type(Tree)` needs no import of ours.

It stands outside the package, since whoever imports a part of treerules imports all of it, and a program that uses
hypothesis without treerules should not wait for that. Where treerules comes later, it registers itself.
"""

import sys


def register() -> None:
    """Register the types of treerules, if it is loaded."""
    if "treerules" in sys.modules:
        from treerules.testing.registration import register

        register()
