"""Where the files are that tests read."""

from __future__ import annotations

from pathlib import Path
from typing import Final


TESTS: Final = Path(__file__).parent
SCENARIOS: Final = TESTS / "scenarios"
ROOT: Final = TESTS.parent
BENCH: Final = ROOT / "bench"
DOCS: Final = ROOT / "docs"
EXAMPLES: Final = ROOT / "examples"
PACKAGE: Final = ROOT / "src" / "rummyvariants"
