"""`python -m treerules`."""

import sys

from treerules.cli import main

sys.exit(main())
