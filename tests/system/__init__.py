"""End to end, in real containers."""

import pytest

pytest.register_assert_rewrite("tests.system.crowd")
