"""What the library does is what was recorded: no byte of any output changes unless the recording says so."""

import os
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from subprocess import run

import pytest

from paths import TESTS

HERE = TESTS / "behaviour"
#: Where this is set, other versions are no reason to skip: the recording must be compared.
REQUIRED = os.environ.get("TREERULES_BEHAVIOUR") == "required"
SECTIONS = tuple(path.stem for path in sorted((HERE / "recorded").glob("*.txt")))


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def _strange() -> list[str]:
    """Return what is installed in another version than the recording was made with."""
    pinned = [line.split("==") for line in (HERE / "requirements.txt").read_text(encoding="utf-8").splitlines()]
    found = [(name, wanted, _installed(name)) for name, wanted in pinned]
    python = ".".join(map(str, sys.version_info[:2]))
    found.append(("Python", "3.11", python))
    return [f"{name} {has} (recorded with {wanted})" for name, wanted, has in found if has != wanted]


@pytest.mark.process
@pytest.mark.large
@pytest.mark.parametrize("section", SECTIONS)
def test_nothing_that_was_recorded_changes(section: str) -> None:
    """Every line of a section is as it was recorded: outputs, errors, exit codes, in the pinned environment."""
    strange = _strange()
    if strange and not REQUIRED:
        pytest.skip(f"the recording is compared with pinned dependencies alone; here is {', '.join(strange)}")
    assert not strange, "install tests/behaviour/requirements.txt"
    command = [sys.executable, "-P", str(HERE / "record.py"), "--only", section]
    done = run(command, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, f"{done.stdout[-4000:]}{done.stderr[-4000:]}"


def test_the_recording_has_every_section() -> None:
    """Each section that the script knows has a file of recorded lines, and no name stands in a file twice."""
    text = (HERE / "sections.py").read_text(encoding="utf-8")
    assert sorted(re.findall(r'^    "(\w+)": ', text, re.MULTILINE)) == list(SECTIONS)
    for section in SECTIONS:
        lines = (HERE / "recorded" / f"{section}.txt").read_text(encoding="utf-8").splitlines()
        names = [line.partition("  ")[2] for line in lines]
        assert names
        assert len(set(names)) == len(names)
