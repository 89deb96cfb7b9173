"""The hint about the extra [fast], after learning that took long without it."""

import pytest

from treerules.cli import learning_options


@pytest.mark.parametrize(
    ("seconds", "is_installed", "is_told"), [(5.0, False, False), (60.0, False, True), (60.0, True, False)]
)
def test_the_extra_is_named_where_it_would_save_more_than_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, seconds: float, is_installed: bool, is_told: bool
) -> None:
    """It is named after long learning without numba, never where numba is installed."""
    monkeypatch.setattr(learning_options, "is_installed", lambda: is_installed)
    hints = learning_options._hint_of_kernels(seconds)
    assert [("[fast]" in hint, "60 s" in hint) for hint in hints] == ([(True, True)] if is_told else [])
