"""``python -m viewer`` is ``holtwalk``."""

import sys

from viewer.entry import main

sys.exit(main())
