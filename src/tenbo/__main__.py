"""`python -m tenbo`."""

import sys

from tenbo.cli import main

if __name__ == "__main__":
    sys.exit(main())
