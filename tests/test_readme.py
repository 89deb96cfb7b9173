"""The README is run: every line of Python and of shell, and what the first command prints; and the other documents."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import treerules
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the README's fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def shell(command: str, folder: Path) -> str:
    """Return what a shell command prints, with `treerules` and `python` of this environment."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for name, line in {"treerules": "-m treerules", "python": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {line} "$@"\n')
        (tools / name).chmod(0o755)
    source = os.pathsep.join(path for path in sys.path if path)
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": source,
        "PYTHONUTF8": "1",
        "LC_ALL": "C",
    }
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env=environment, check=False)
    shown = done.stdout.decode()
    return shown + (done.stderr.decode() if done.returncode else "")


def test_the_python_tour_runs(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Each line of each block gives what stands below it; the digest of the rules is left open."""
    monkeypatch.chdir(ROOT)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for block in blocks("python"):
        runner.run(parser.get_doctest(block.replace("DIGEST", "..."), {}, "README", "README.md", 0))
    assert runner.tries > 20
    assert runner.failures == 0


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_the_python_of_the_documents_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line gives what stands below it, and every file and folder of the project that is named is there."""
    monkeypatch.chdir(ROOT)
    text = (ROOT / name).read_text(encoding="utf-8")
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    for block in blocks:
        runner.run(parser.get_doctest(dedent(block), {}, name, name, 0))
    assert blocks and runner.tries >= 5
    assert runner.failures == 0
    paths = {path for path in re.findall(r"`([\w./]+(?:/|\.py|\.md|\.toml))`", text) if "NAME" not in path}
    source = Path(treerules.__file__).parent  # that of the checkout, or of an installed wheel
    places = (ROOT, source, *(path for path in source.iterdir() if path.is_dir()))
    names = {path: path.removeprefix("src/").removeprefix("treerules/") for path in paths}
    missing = [path for path, name in names.items() if not any((place / name).exists() for place in places)]
    assert paths and not missing


@pytest.mark.process
def test_the_shell_tour_runs(tmp_path: Path) -> None:
    """Each command prints what stands below it; messages on stderr are shown where it fails."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tour,) = blocks("console")
    steps = re.split(r"^\$ ", tour, flags=re.MULTILINE)[1:]
    assert len(steps) >= 8
    for step in steps:
        command, _, wanted = step.partition("\n")
        assert shell(command, tmp_path) == wanted, command


@pytest.mark.process
def test_the_first_command_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """The main job of command 1, without its installation."""
    install = next(block for block in blocks("sh") if "build" in block)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    command = install.rsplit("&&", 1)[1].replace(".venv/bin/", "")
    assert shell(command, tmp_path) == blocks("text")[0]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["loan.py", "loan.sql", "loan.tree.json"]


def test_the_two_commands_are_one_line_each() -> None:
    """One sets up and runs the main job, one sets up and runs the tests."""
    commands = blocks("sh")
    assert len(commands) == 2
    assert all(command.count("\n") == 1 and command.startswith("python3 -m venv .venv && ") for command in commands)
