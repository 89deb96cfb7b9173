"""`--target-step` of the commands that learn."""

from pathlib import Path

import pytest

from treerules import cart, learn, load, read
from treerules.cli import main

ROWS = "x,y\n" + "".join(f"{x / 10},{x * 1.0001 / 7}\n" for x in range(12))


@pytest.mark.parametrize("step", ["2**-4", "0.0625"])
def test_a_step_is_a_power_of_two_or_a_decimal(step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The model is that of `learn(target_step=)`, and a note says how many values changed."""
    table, model = tmp_path / "d.csv", tmp_path / "m.tree.json"
    table.write_text(ROWS)
    choices = ["--target", "y", "--algorithm", "cart", "--target-step", step]
    assert main(["learn", str(table), *choices, "-o", str(model)]) == 0
    assert "target 'y': 11 of 12 values are rounded to multiples of 2**-4" in capsys.readouterr().err
    assert load(model) == learn(read(table), target="y", recipe=cart(), target_step=2**-4)


@pytest.mark.parametrize("step", ["0.3", "two", "2**-9999", "2**9999", "-1", "0"])
def test_another_step_is_refused_as_it_was_written(
    step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the option and what it takes; nothing is written."""
    table, model = tmp_path / "d.csv", tmp_path / "m.tree.json"
    table.write_text(ROWS)
    assert main(["learn", str(table), "--target", "y", f"--target-step={step}", "-o", str(model)]) == 2
    shown = capsys.readouterr().err
    assert "--target-step is" in shown and step in shown and "a power of two" in shown
    assert not model.exists()
