"""``python -m viewer`` is ``holtwalk``."""

import sys

from viewer.main import main

sys.exit(main())
