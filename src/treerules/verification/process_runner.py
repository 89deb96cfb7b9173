"""Run a module in a process of Python or node: rows and answers are lines of files."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treerules._internal.atomic_files import read_bytes
from treerules.errors import FileError
from treerules.verification import protocol
from treerules.verification.answers import RaisedError
from treerules.verification.minimise import javascript_call
from treerules.verification.predictors import Predictor, Rows

#: The largest size of a file of code.
MOST_BYTES = 2**30

_JAVASCRIPT = """
import fs from "node:fs";
import { pathToFileURL } from "node:url";
const [path, rows, answers] = process.argv.slice(1);
const out = fs.openSync(answers, "w");
const put = (cell) => fs.writeSync(out, JSON.stringify(cell) + "\\n");
const number = (text) => ({ inf: Infinity, "-inf": -Infinity, nan: NaN })[text] ?? Number(text);
const integer = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text));
const unpacked = (cell) => {
  if (!Array.isArray(cell)) return cell;
  const [kind, text] = cell;
  return kind === "number" ? number(text) : kind === "integer" ? integer(text) : text;
};
const packed = (value) => {
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
  if (typeof value === "number") return ["number", Object.is(value, -0) ? "-0.0" : String(value)];
  if (typeof value === "bigint") return ["integer", String(value)];
  if (value instanceof Date) return ["text", value.toISOString()];
  return typeof value === "string" ? ["text", value] : ["other", String(value).slice(0, 200)];
};
const errorLine = (error) => String(error).split(/\\s+/).join(" ").slice(0, 300);
let predict;
try {
  ({ predict } = await import(pathToFileURL(path)));
  if (typeof predict !== "function") put(["failed", "it exports no function predict(row)"]);
} catch (error) {
  put(["failed", errorLine(error)]);
}
if (typeof predict === "function")
  for (const line of fs.readFileSync(rows, "utf8").split("\\n").slice(0, -1)) {
    const row = Object.fromEntries(JSON.parse(line).map(([name, cell]) => [name, unpacked(cell)]));
    let cell;
    try {
      cell = packed(predict(row));
    } catch (error) {
      cell = ["raised", errorLine(error)];
    }
    put(cell);
  }
process.exit(0);
"""


@contextmanager
def python_runner(path: Path, *, time_limit: float) -> Iterator[Predictor]:
    """Return the predictor of a Python module, which runs by the same Python.

    Raises:
        FileError: it is no module with predict(row), or does not come to an end.
    """
    read_bytes(path, MOST_BYTES)
    version = ".".join(map(str, sys.version_info[:3]))
    with _folder() as folder:
        command = [sys.executable, "-I", "-B", protocol.__file__, str(path.resolve())]
        yield Predictor(str(path), _answers(path, command, folder, time_limit), f"Python {version}")


@contextmanager
def javascript_runner(path: Path, *, time_limit: float) -> Iterator[Predictor]:
    """Return the predictor of an ES module, which runs by node.

    Raises:
        FileError: it is no module with predict(row), does not come to an end, or node is not installed.
    """
    content = read_bytes(path, MOST_BYTES)
    node = shutil.which("node")
    if node is None:
        raise FileError(str(path), "is run by node, which is not on the PATH", "install Node.js 18 or newer")
    with _folder() as folder:
        copy = folder / "verified.mjs"  # node takes .js for another kind of module
        copy.write_bytes(content)
        version = _run([node, "--version"], folder, time_limit, path)[1].strip()
        command = [node, "--input-type=module", "-e", _JAVASCRIPT, "--", str(copy)]
        answers = _answers(path, command, folder, time_limit)
        yield Predictor(str(path), answers, f"node {version}", loose=True, call=javascript_call)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="treerules-", ignore_cleanup_errors=True) as name:
        yield Path(name).resolve()


def _answers(path: Path, command: Sequence[str], folder: Path, time_limit: float) -> Callable[[Rows], list[Any]]:
    rows_file, answers_file = folder / "rows.jsonl", folder / "answers.jsonl"

    def answers(rows: Rows) -> list[Any]:
        with rows_file.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(map(protocol.row_line, rows))
        answers_file.write_bytes(b"")
        ending = _run([*command, str(rows_file), str(answers_file)], folder, time_limit, path)
        lines = answers_file.read_bytes().split(b"\n")[:-1]  # without an unfinished line
        cells = [json.loads(line) for line in lines]
        if cells[:1] and isinstance(cells[0], list) and cells[0][0] == "failed":
            raise FileError(str(path), f"cannot be loaded: {cells[0][1]}", "give a module with predict(row)")
        if len(cells) < len(rows):
            raise FileError(str(path), f"{ending[0]} at the row {dict(rows[len(cells)])!r}", "correct predict(row)")
        return [_value(cell) for cell in cells]

    return answers


def _value(cell: Any) -> Any:
    if isinstance(cell, list) and cell[0] in ("raised", "other"):
        return RaisedError(f"raised {cell[1]}" if cell[0] == "raised" else f"returned {cell[1]}")
    return protocol.from_cell(cell)


def _run(command: Sequence[str], folder: Path, time_limit: float, path: Path) -> tuple[str, str]:
    """Run a command; return how it ended, in words, and its output."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=time_limit, check=False
        )
    except subprocess.TimeoutExpired:
        return f"was still running after {time_limit:g} seconds", ""
    except OSError as error:
        raise FileError(str(path), f"cannot be run: {error}", "check the installation of its language") from error
    last_line = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
    details = f" ({last_line[0][:200]})" if last_line and done.returncode else ""
    return f"ended with exit code {done.returncode}{details}", done.stdout.decode("utf-8", "replace")
