"""``python -m rummyvariants`` is the command ``rummyvariants``."""

from __future__ import annotations

from rummyvariants.cli import main


if __name__ == "__main__":
    main()
