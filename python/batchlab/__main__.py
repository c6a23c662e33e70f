"""The command line program: ``batchlab`` and ``python -m batchlab``."""

from __future__ import annotations

import sys

from batchlab import _batchlab


def main() -> int:
    """Run the program with the arguments of this process, and return its exit code."""
    return _batchlab.main(["batchlab", *sys.argv[1:]], True)


if __name__ == "__main__":
    sys.exit(main())
