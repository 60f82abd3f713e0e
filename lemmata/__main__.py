"""`python -m lemmata`."""

import sys

from lemmata.main import main

sys.exit(main())
