"""The hook of pre-commit in a repository of git: a commit with a WHEN that never decides is refused until it is fixed.

pre-commit and what the hook needs are installed by pip, so this asks a package index; and git is needed.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

#: The sources; where an installed wheel is tested they are elsewhere.
SOURCES = Path(os.environ.get("TREERULES_CHECKOUT", ROOT))
PARTS = ("src", "templates", "docs", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
DEAD = "SELECT CASE WHEN x > 1.5 THEN 'a'\n  WHEN x > 2.5 THEN 'b'\n  ELSE 'c' END AS z FROM t\n"


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment in which git and pre-commit know nothing of the user's."""
    names = {f"GIT_{role}_{field}": "tester" for role in ("AUTHOR", "COMMITTER") for field in ("NAME", "EMAIL")}
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT"))}
    nothing = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    return {**kept, **names, **nothing, "PRE_COMMIT_HOME": str(folder / "hooks")}


def _installed(folder: Path) -> Path:
    """Return the program pre-commit, installed."""
    python = folder / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    done = subprocess.run([python, "-m", "pip", "install", "-q", "pre-commit"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return python.with_name("pre-commit")


@pytest.mark.process
@pytest.mark.skipif(os.name == "nt", reason="the paths of programs are those of Linux and macOS")
def test_a_commit_with_a_dead_when_is_refused_until_it_is_fixed(tmp_path: Path) -> None:
    """The hook `treerules-sql` names TR001 and refuses; after `treerules check --fix` the same commit passes."""
    assert (SOURCES / "src").is_dir(), "TREERULES_CHECKOUT names the sources where the wheel is tested"
    environment = _environment(tmp_path)

    def run(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*map(str, command)], cwd=folder, env=environment, capture_output=True, text=True)

    def committed(folder: Path) -> subprocess.CompletedProcess[str]:
        run(folder, "git", "add", "-A")
        return run(folder, "git", "commit", "-m", "a change")

    hooks, models = tmp_path / "treerules", tmp_path / "models"
    for folder in (hooks, models):
        folder.mkdir()
        assert run(folder, "git", "init", "-q").returncode == 0
    for part in PARTS:
        source = SOURCES / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, hooks / part)
    assert committed(hooks).returncode == 0
    revision = run(hooks, "git", "rev-parse", "HEAD").stdout.strip()
    config = f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - id: treerules-sql\n"
    (models / ".pre-commit-config.yaml").write_text(config, "utf-8")
    file = models / "bands.sql"
    file.write_text(DEAD, "utf-8")
    assert run(models, _installed(tmp_path), "install").returncode == 0

    refused = committed(models)
    assert refused.returncode != 0, refused.stdout + refused.stderr
    assert "TR001" in refused.stdout + refused.stderr, refused.stdout + refused.stderr
    assert run(models, "git", "rev-parse", "--verify", "HEAD").returncode != 0, "there is no commit"

    fixed = run(models, sys.executable, "-m", "treerules", "check", "--fix", file)
    assert fixed.returncode == 0, fixed.stdout + fixed.stderr
    assert "2.5" not in file.read_text("utf-8")
    passed = committed(models)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert run(models, "git", "rev-parse", "--verify", "HEAD").returncode == 0
