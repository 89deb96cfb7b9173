"""The helper that compares texts with golden files."""

from pathlib import Path

import pytest

from golden import NotApprovedError, compared


def test_an_equal_text_passes(tmp_path: Path) -> None:
    """The comments at the head of the file are left out of the comparison; the file stays as it is."""
    path = tmp_path / "a.sql"
    path.write_text("--# quotes: a reason\nSELECT 1\n")
    assert compared(path, "SELECT 1\n", approve=False) == ""
    assert compared(path, "SELECT 1\n", approve=True) == ""
    assert path.read_text() == "--# quotes: a reason\nSELECT 1\n"


@pytest.mark.parametrize("text", ["SELECT 2\n", "SELECT 1", "", "SELECT 1\n--# no comment\n"])
def test_another_text_is_refused_or_approved(tmp_path: Path, text: str) -> None:
    """Without approval an error shows the difference and the file stays; with it the text is replaced alone."""
    path = tmp_path / "a.sql"
    path.write_text("--# quotes: a reason\nSELECT 1\n")
    with pytest.raises(NotApprovedError, match="pytest --approve"):
        compared(path, text, approve=False)
    assert path.read_text() == "--# quotes: a reason\nSELECT 1\n"
    difference = compared(path, text, approve=True)
    assert "-SELECT 1\n" in difference or "+--# no comment\n" in difference
    assert path.read_text() == "--# quotes: a reason\n" + text


def test_a_new_file_is_made_by_approval_alone(tmp_path: Path) -> None:
    """Also an empty one."""
    for text in ("SELECT 1\n", ""):
        path = tmp_path / "folder" / f"{len(text)}.sql"
        with pytest.raises(NotApprovedError):
            compared(path, text, approve=False)
        assert not path.exists()
        assert compared(path, text, approve=True)
        assert path.read_text() == text
