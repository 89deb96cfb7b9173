"""The pages of the documentation that `treerules help` prints: Markdown with a section for each command or error."""

import re
from importlib.resources import files
from pathlib import Path
from textwrap import dedent, fill, indent

#: The pages that the wheel holds, in the folder `pages` of the package.
COMMANDS, ERRORS = "command_line.md", "errors.md"
#: What only the site shows: directives, whose content it makes itself.
_DIRECTIVE = re.compile(r"^:::+\{.*?^:::+\n", re.DOTALL | re.MULTILINE)
#: A link to another page, which a terminal does not follow.
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_CODE = re.compile(r"^```[^\n]*\n(?::caption: (\S+)\n)?(.*?)^```$", re.DOTALL | re.MULTILINE)


def page_sections(page: str) -> dict[str, str]:
    """Return the sections of a page by their titles, as text for a terminal.

    Args:
        page: The name of the page, such as `errors.md`.
    """
    text = _LINK.sub(r"\1", _DIRECTIVE.sub("", (_folder() / page).read_text(encoding="utf-8")))
    _, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return {title: _terminal_text(body) for title, body in zip(parts[::2], parts[1::2], strict=True)}


def _terminal_text(markdown: str) -> str:
    """Return paragraphs that are wrapped, and examples that are indented instead of fenced."""
    before, *rest = _CODE.split(markdown)
    blocks = [*_paragraphs(before)]
    for file, code, after in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        name = f"{file}:\n\n" if file else ""
        blocks += [name + indent(dedent(code).strip("\n"), "    "), *_paragraphs(after)]
    return "\n\n".join(blocks) + "\n"


def _paragraphs(text: str) -> list[str]:
    return [fill(" ".join(part.split()), 78) for part in text.strip().split("\n\n") if part]


def _folder() -> Path:
    """Return the folder of the pages: in the wheel, else in the checkout."""
    package = Path(str(files("treerules")))
    packaged = package / "pages"
    return packaged if packaged.is_dir() else package.resolve().parents[1] / "docs" / "en" / "reference"
