"""The examples of the documents: blocks of Python, of commands and of files, which run in the order of the page.

A page is Markdown. Three kinds of fenced blocks run, in a folder of the page's own that holds `examples`:

- `python`: doctest lines, whose names all blocks of the page share;
- `console`: lines that begin with `$ ` are commands, those with `> ` continue them, and below them stands what they
  print on stdout, and on stderr where they fail;
- `{code-block} LANGUAGE` with `:caption: NAME`: the file of that name is written.

`python tests/support/document_examples.py PAGE...` runs pages and prints what differs; with `--update` it writes into a
page what its examples print now, for an author to read.
"""

import contextlib
import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent
from typing import NamedTuple

#: A fenced block: its indent, the number of its marks, what stands behind them, and its lines.
_FENCE = re.compile(r"^( *)(`{3,})([^\n`]*)\n(.*?)^\1\2 *$", re.DOTALL | re.MULTILINE)
#: Hashes of models change with each version of treerules; pages have this word instead.
DIGEST = "DIGEST"
_HASHES = re.compile(r"(schema |model |data |sha256:)[0-9a-f]{8,64}\b")


class Fence(NamedTuple):
    """A fenced block of a page."""

    #: what stands behind the marks, such as `python` or `{code-block} sql`
    info: str
    body: str
    #: the position of the body in the text of the page
    start: int
    line: int

    @property
    def file_name(self) -> str:
        """The name of the file that the block holds; "" for another block."""
        caption = re.match(r":caption: *(\S+)\n", self.body)
        return caption[1] if caption and self.info.startswith("{code-block}") else ""

    @property
    def file_text(self) -> str:
        """What the file holds."""
        return self.body.partition("\n")[2].lstrip("\n")

    @property
    def runs(self) -> bool:
        """Whether the block is an example that runs."""
        return bool(self.file_name) or self.info == "console" or (self.info == "python" and ">>> " in self.body)


class Command(NamedTuple):
    """A command of a console block, and what stands below it."""

    line: str
    expected: str
    #: the position of what is expected in the block
    start: int


class Difference(NamedTuple):
    """What an example prints, where that is not what stands in the page."""

    line: int
    example: str
    expected: str
    printed: str
    #: the positions in the text of the page at which what is expected starts and ends
    start: int
    end: int


def fences(text: str) -> list[Fence]:
    """Return the fenced blocks of a page, without the indent of those in lists."""
    return [
        Fence(match[3].strip(), match[4], match.start(4), text.count("\n", 0, match.start(4)) + 1)
        for match in _FENCE.finditer(text)
    ]


def commands(body: str) -> Iterator[Command]:
    """Yield the commands of a console block."""
    for match in re.finditer(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
        first, *more = match[1].splitlines()
        yield Command("\n".join([first, *(line[2:] for line in more)]), match[2], match.start(2))


def differences(text: str, folder: Path) -> Iterator[Difference]:
    """Run the examples of a page in a folder, and yield those that print something else than what stands below them."""
    with _modules_of_a_page(folder):
        yield from _differences(text, folder)


@contextlib.contextmanager
def _modules_of_a_page(folder: Path) -> Iterator[None]:
    """Forget the modules that a page wrote and imported, and where it looked for them."""
    path, finders = list(sys.path), set(sys.path_importer_cache)
    try:
        yield
    finally:
        sys.path[:] = path
        for entry in set(sys.path_importer_cache) - finders:
            del sys.path_importer_cache[entry]
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if file and Path(file).resolve().is_relative_to(folder.resolve()):
                del sys.modules[name]


def _differences(text: str, folder: Path) -> Iterator[Difference]:
    names: dict[str, object] = {}
    for fence in fences(text):
        if fence.file_name:
            (folder / fence.file_name).parent.mkdir(parents=True, exist_ok=True)
            (folder / fence.file_name).write_text(fence.file_text, encoding="utf-8")
        elif fence.info == "python" and fence.runs:
            with contextlib.chdir(folder):
                yield from _python_differences(fence, names)
        elif fence.info == "console":
            for command in commands(fence.body):
                printed = without_hashes(shell(command.line, folder))
                if printed != command.expected:
                    start = fence.start + command.start
                    line = fence.line + fence.body.count("\n", 0, command.start)
                    end = start + len(command.expected)
                    yield Difference(line, command.line, command.expected, printed, start, end)


def without_hashes(text: str) -> str:
    """Replace the hashes of schemas and models by one word."""
    return _HASHES.sub(rf"\1{DIGEST}", text)


class _Runner(doctest.DocTestRunner):
    """Keeps what examples print, instead of reporting it."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.failed: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        """Keep what was printed."""
        self.failed.append((example, got))

    def report_unexpected_exception(
        self, out: object, test: doctest.DocTest, example: doctest.Example, exc_info: tuple
    ) -> None:  # type: ignore[type-arg]
        """Keep the traceback, in the form in which pages show it."""
        kind, error, _ = exc_info
        name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        self.failed.append((example, f"Traceback (most recent call last):\n    ...\n{name}: {error}\n"))


class _Checker(doctest.OutputChecker):
    """Compares without hashes."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Return whether what was printed is what stands in the page."""
        return super().check_output(want, without_hashes(got), optionflags | doctest.ELLIPSIS)


def _python_differences(fence: Fence, names: dict[str, object]) -> Iterator[Difference]:
    indent = len(fence.body) - len(fence.body.lstrip(" "))
    example = doctest.DocTestParser().get_doctest(dedent(fence.body), names, "page", "page", 0)
    runner = _Runner()
    runner._checker = _Checker()  # type: ignore[attr-defined]
    runner.run(example, clear_globs=False)
    names.update(example.globs)
    lines = fence.body.splitlines(keepends=True)
    for failed, got in runner.failed:
        first = failed.lineno + failed.source.count("\n")
        n_lines = failed.want.count("\n")
        start = fence.start + sum(map(len, lines[:first]))
        expected = "".join(lines[first : first + n_lines])
        blank = re.sub(r"^$", "<BLANKLINE>", got.removesuffix("\n"), flags=re.MULTILINE) + "\n" if got else ""
        printed = "".join(" " * indent + line for line in without_hashes(blank).splitlines(keepends=True))
        yield Difference(fence.line + first, failed.source, expected, printed, start, start + len(expected))


def shell(command: str, folder: Path) -> str:
    """Return what a shell command prints, with `treerules` and `python` of this environment."""
    tools = folder / ".tools"
    tools.mkdir(exist_ok=True)
    for name, line in {"treerules": "-m treerules", "python": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {line} "$@"\n')
        (tools / name).chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "PYTHONUTF8": "1",
        "LC_ALL": "C",
        "NO_COLOR": "1",
    }
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, env=environment, check=False)
    shown = done.stdout.decode()
    return shown + (done.stderr.decode() if done.returncode else "")


@contextlib.contextmanager
def page_folder(root: Path) -> Iterator[Path]:
    """Make a folder in which the examples of a page run."""
    with TemporaryDirectory() as name:
        (Path(name) / "examples").symlink_to(root / "examples")
        yield Path(name)


def updated(text: str, root: Path) -> str:
    """Return a page with what its examples print now."""
    with page_folder(root) as folder:
        found = list(differences(text, folder))
    for difference in reversed(found):
        text = text[: difference.start] + difference.printed + text[difference.end :]
    return text


def main(arguments: list[str]) -> int:
    """Run the pages, or update them."""
    root = Path(__file__).resolve().parents[2]
    n_different = 0
    for name in (argument for argument in arguments if not argument.startswith("-")):
        page = Path(name)
        text = page.read_text(encoding="utf-8")
        if "--update" in arguments:
            page.write_text(updated(text, root), encoding="utf-8")
            continue
        with page_folder(root) as folder:
            for difference in differences(text, folder):
                n_different += 1
                print(f"{name}:{difference.line}: {difference.example}")
                print(f"  expected:\n{difference.expected}  printed:\n{difference.printed}")
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
