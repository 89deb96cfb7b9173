"""Build the documentation: `python docs/build.py` writes one site with the pages of both languages.

It makes the pictures, runs Sphinx for `docs/en` and `docs/zh` with all warnings as errors, and writes the first page,
which names both. The site needs no server: open `docs/_site/index.html`.

    pip install -e '.[docs]'
    python docs/build.py [--output FOLDER] [--language en]
"""

import argparse
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from sphinx.cmd.build import build_main

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from pictures import write_pictures  # noqa: E402

LANGUAGES = ("en", "zh")


def build(output: Path, language: str) -> int:
    """Build the pages of a language, and return the exit code of Sphinx."""
    source = HERE / language
    write_pictures(source / "_pictures", language)
    strict = ["--fail-on-warning", "--keep-going", "--nitpicky", "--fresh-env", "--quiet"]
    with TemporaryDirectory() as doctrees:
        folders = ["-c", str(HERE), "-d", doctrees, str(source), str(output / language)]
        return build_main(["-b", "html", "-t", language, *strict, *folders])


def main() -> int:
    """Build the site."""
    parser = argparse.ArgumentParser(description="Build the documentation.")
    parser.add_argument("--output", type=Path, default=HERE / "_site", help="the folder of the site")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="build the pages of this language only")
    arguments = parser.parse_args()
    start = time.process_time()
    output = arguments.output.resolve()
    if arguments.language is None:
        shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True, exist_ok=True)
    codes = [build(output, language) for language in arguments.language or LANGUAGES]
    shutil.copy(HERE / "first_page.html", output / "index.html")
    size = sum(file.stat().st_size for file in output.rglob("*") if file.is_file())
    print(f"{output}: {size / 1e6:.1f} MB, {time.process_time() - start:.0f} s of CPU time")
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
