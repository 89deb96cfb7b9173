"""Records what the library does, or compares what it does with the recording.

python tests/behaviour/record.py                     compare; exit code 1 and each changed line if something changed
python tests/behaviour/record.py --only SECTION ...  some sections alone
python tests/behaviour/record.py --dump DIR          also write each text to DIR/SECTION/NAME
python tests/behaviour/record.py --record            write the recording anew
python tests/behaviour/record.py --first             stop at the first line that changed
"""

import argparse
import os
import re
import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
os.environ.update(COLUMNS="80", LINES="24", NO_COLOR="1", TERM="dumb", TZ="UTC", PYTHONUTF8="1")
for name in ("TREERULES_TRACEBACK", "FORCE_COLOR", "CLICOLOR_FORCE", "PYTHONWARNINGS"):
    os.environ.pop(name, None)
time.tzset()

from behaviour import sections  # noqa: E402
from behaviour.calls import version  # noqa: E402

RECORDED = HERE / "recorded"
#: Versions are no behaviour: ours, and those of what runs emitted code.
_VERSIONS = (
    (re.compile(rf"(treerules\"?,?( version)?:? ){re.escape(version)}"), r"\1VERSION"),
    (re.compile(r"\b(DuckDB|SQLite|Python|node) v?\d+(\.\d+)+\S*"), r"\1 VERSION"),
)


def normalised(text: str) -> str:
    """Return a text without versions."""
    for pattern, replacement in _VERSIONS:
        text = pattern.sub(replacement, text)
    return text


def texts_of(section: str) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of a section, each name once."""
    seen = set[str]()
    for name, text in sections.SECTIONS[section]():
        if name in seen or name.strip() != name or "\n" in name:
            raise ValueError(f"{section}: {name!r} is recorded twice, or is no name")
        seen.add(name)
        yield name, normalised(text)


def digest_of(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def recorded(section: str) -> dict[str, str]:
    """Return the digests that are recorded of a section, by name."""
    path = RECORDED / f"{section}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def changes_of(section: str, dump: Path | None = None) -> Iterator[str]:
    """Yield what changed in a section, a line each."""
    expected = recorded(section)
    try:
        for name, text in texts_of(section):
            _dumped(dump, section, name, text)
            before = expected.pop(name, None)
            if before is None:
                yield f"{section}: new: {name}"
            elif before != digest_of(text):
                yield f"{section}: changed: {name}"
    except Exception as error:
        traceback.print_exc()
        yield f"{section}: stopped: {type(error).__name__}"
    yield from (f"{section}: gone: {name}" for name in expected)


def _dumped(dump: Path | None, section: str, name: str, text: str) -> None:
    if dump is not None:
        file = quote(name, safe=" =,+-()[]@'")
        folder = dump / section
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (file if len(file) < 180 else f"{file[:160]}-{digest_of(name)}")
        path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")


def write(section: str, dump: Path | None = None) -> int:
    """Record a section anew and return the number of its lines."""
    lines = []
    for name, text in texts_of(section):
        _dumped(dump, section, name, text)
        lines.append(f"{digest_of(text)}  {name}\n")
    RECORDED.mkdir(exist_ok=True)
    (RECORDED / f"{section}.txt").write_text("".join(lines), encoding="utf-8", newline="")
    return len(lines)


def main(arguments: Iterable[str] | None = None) -> int:
    """Compare or record, and return the exit code."""
    parser = argparse.ArgumentParser(description="Compare what the library does with the recording.")
    parser.add_argument("--record", action="store_true", help="write the recording anew")
    parser.add_argument("--first", action="store_true", help="stop at the first line that changed")
    parser.add_argument("--dump", type=Path, metavar="DIR", help="write each text to DIR/SECTION/NAME")
    parser.add_argument("--only", action="append", choices=list(sections.SECTIONS), help="this section alone")
    asked = parser.parse_args(None if arguments is None else list(arguments))
    asked.dump = asked.dump and asked.dump.resolve()
    with TemporaryDirectory() as folder, chdir(folder):  # what is written by a relative path goes there
        return run(asked.only or list(sections.SECTIONS), asked)


def run(chosen: list[str], asked: argparse.Namespace) -> int:
    """Compare or record sections, and return the exit code."""
    n_changes = 0
    for section in chosen:
        begun = time.process_time()
        if asked.record:
            print(f"{section}: {write(section, asked.dump)} lines, {time.process_time() - begun:.1f} s", flush=True)
            continue
        for change in changes_of(section, asked.dump):
            print(change, flush=True)
            n_changes += 1
            if asked.first:
                return 1
        print(f"{section}: compared, {time.process_time() - begun:.1f} s", file=sys.stderr, flush=True)
    if not asked.record:
        print(f"{n_changes} lines changed")
    return 1 if n_changes else 0


if __name__ == "__main__":
    sys.exit(main())
