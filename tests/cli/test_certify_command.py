"""`treerules learn --certificate` and `treerules certify`: claims, changed rows, files that are none."""

import json
from pathlib import Path

import pytest

from command_line import printed, run
from paths import ROOT

KYPHOSIS = ROOT / "examples" / "kyphosis.csv"
OPTIMAL = ("--target", "Kyphosis", "--algorithm", "optimal", "--leaf-penalty", 1, "--max-depth", 2)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return the model and the certificate of an optimal tree."""
    model, certificate = tmp_path / "best.tree.json", tmp_path / "best.certificate.json"
    completed = run("learn", KYPHOSIS, *OPTIMAL, "-o", model, "--certificate", certificate)
    assert completed.returncode == 0, completed.stderr
    assert "proved optimal: no tree of depth 2 or less costs less than" in completed.stderr
    return model, certificate


def test_a_certificate_is_checked_on_the_table(files: tuple[Path, Path]) -> None:
    """The claim, and that the model is optimal; as JSON, and in Chinese."""
    model, certificate = files
    claim = json.loads(certificate.read_text(encoding="utf-8"))["claim"]
    text = printed("certify", certificate, "--data", KYPHOSIS, "--model", model)
    assert text.startswith(f"{certificate}: proved: {claim}\nthe tree is optimal: it costs ")
    record = json.loads(printed("certify", certificate, "--data", KYPHOSIS, "--format", "json"))
    assert (record["valid"], record["optimal"], record["problem"]) == (True, False, None)
    assert "已证明" in printed("certify", certificate, "--data", KYPHOSIS, "--lang", "zh")


def test_another_table_and_another_claim_are_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Exit code 1, with the reason."""
    _, certificate = files
    rows = KYPHOSIS.read_text(encoding="utf-8").splitlines()
    (tmp_path / "fewer.csv").write_text("\n".join(rows[:-1]), encoding="utf-8")
    completed = run("certify", certificate, "--data", tmp_path / "fewer.csv")
    assert completed.returncode == 1
    assert "the certificate is about 81 rows; the table has 80" in completed.stdout
    content = json.loads(certificate.read_text(encoding="utf-8"))
    content["lower"] += 1
    content["cost"] += 1
    (tmp_path / "more.json").write_text(json.dumps(content), encoding="utf-8")
    completed = run("certify", tmp_path / "more.json", "--data", KYPHOSIS)
    assert completed.returncode == 4
    assert "its claim is not what its figures say" in completed.stderr
    old, new = (f"costs less than {lower}," for lower in (content["lower"] - 1, content["lower"]))
    content["claim"] = content["claim"].replace(old, new)
    (tmp_path / "more.json").write_text(json.dumps(content), encoding="utf-8")
    completed = run("certify", tmp_path / "more.json", "--data", KYPHOSIS)
    assert completed.returncode == 1
    assert "not proved" in completed.stdout


def test_what_is_no_certificate_is_named(files: tuple[Path, Path], tmp_path: Path) -> None:
    """A model is none; a greedy tree has none; the model's file is not overwritten. Nothing is written."""
    model, _ = files
    completed = run("certify", model, "--data", KYPHOSIS)
    assert completed.returncode == 4
    assert "it does not say that it is a certificate" in completed.stderr
    target = ("--target", "Kyphosis")
    completed = run("learn", KYPHOSIS, *target, "--certificate", tmp_path / "c.json", "-o", tmp_path / "m.json")
    assert completed.returncode == 2
    assert "--algorithm optimal" in completed.stderr
    completed = run("learn", KYPHOSIS, *OPTIMAL, "--certificate", tmp_path / "m.json", "-o", tmp_path / "m.json")
    assert completed.returncode == 2
    assert not (tmp_path / "c.json").exists()
    assert not (tmp_path / "m.json").exists()


def test_components_keep_their_names_in_chinese() -> None:
    """The program node is no node of a tree."""
    table = printed("doctor", "--lang", "zh", "--format", "csv").splitlines()
    assert [line for line in table if line.startswith("node,")]
    assert [line for line in table if line.startswith("文件名,")]


def test_a_depth_that_is_not_searched_is_refused_by_the_name_of_its_option(tmp_path: Path) -> None:
    """With what was given, and the range."""
    completed = run("learn", KYPHOSIS, *OPTIMAL[:-1], 9, "-o", tmp_path / "m.json")
    assert completed.returncode == 2
    assert "--max-depth is 9; expected a whole number from 0 to 5" in completed.stderr
