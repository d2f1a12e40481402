"""How the tests run: hypothesis bounded, and the same terminal everywhere."""

from __future__ import annotations

import functools
import gc
import os

import attrs

from hypothesis import HealthCheck, settings

from rummyvariants.melds import Terms
from rummyvariants.rules import Ruleset


_SLOW_STARTS = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "quick", max_examples=60, deadline=None, suppress_health_check=_SLOW_STARTS
)
settings.register_profile("ci", parent=settings.get_profile("quick"), derandomize=True)
settings.register_profile(
    "thorough", parent=settings.get_profile("quick"), max_examples=2_000
)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "quick")
)
# What a terminal shows does not depend on the one in which the tests run.
os.environ["TERM"] = "xterm-256color"


def pytest_sessionstart() -> None:
    """
    Forget what was worked out before, where `mutants` has changed the code since.
    """
    if "MUTANT_UNDER_TEST" not in os.environ:
        return
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
        elif isinstance(one, Ruleset):
            one._memo.clear()
        elif isinstance(one, Terms):
            for field in attrs.fields(Terms):
                if field.default == attrs.Factory(dict):
                    getattr(one, field.name).clear()
