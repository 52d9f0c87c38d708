"""`python -m pentad`: the same as the command `pentad`."""

import sys

from pentad.terminal import main

sys.exit(main())
