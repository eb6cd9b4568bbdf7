"""``python -m viewer`` is ``holtwalk``, and so are ``python viewer`` and this file, as editors run it."""

import sys

if not __package__:  # what Python looks in first is this folder then, and not the one that it lies in
    import os

    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from viewer.entry import main

sys.exit(main())
