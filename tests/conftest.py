"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import cases

# "ci" runs the same examples every time, so that a change is judged by what it changed.
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))


@pytest.fixture(scope="session")
def cases_dir() -> Path:
    """The folder of acceptance cases."""
    return cases.cases_dir()


@pytest.fixture(scope="session")
def logs_dir() -> Path:
    """The folder of sample game logs."""
    return cases.logs_dir()
