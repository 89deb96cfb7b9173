"""Golden files: the SQL of one tree in every dialect, read and approved by people, each deviation with its reason.

A line that starts with --# is ours: it names a field of Language in which the dialect deviates from the standard, or a
template of its own, and says why. All else must be what is emitted, to the byte.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

from golden_tree import golden_tree
from paths import GOLDEN
from treerules import (
    to_javascript,
    to_python,
    to_sql,
)
from treerules.rendering.templates import template_folder
from treerules.sql.dialects import DIALECTS
from treerules.sql.language import Language

Golden = Callable[[str, str], None]
#: The fields that change what is printed; the others say what is refused.
PRINTED = (
    "quotes", "escapes_names", "text", "number", "integer", "date", "timestamp", "true", "false", "infinity",
    "at_most", "above", "equal", "differs", "among", "not_among", "missing", "known", "is_number", "text_column",
    "text_end", "number_column", "number_member", "both", "either", "no", "always", "never", "empty_text_is_missing",
    "of_other_type", "refusal",
)  # fmt: skip


def emitted(dialect: str) -> str:
    """Return the golden tree as a table of predictions, a key and the rule beside."""
    return to_sql(golden_tree(), dialect=dialect, kind="table", layout="flat", keys=["id"], rule=True)


def deviations(language: Language) -> set[str]:
    """Return the fields in which a dialect prints otherwise than the standard, and its own templates."""
    standard = DIALECTS["ansi"].spelling
    fields = {name for name in PRINTED if getattr(language, name) != getattr(standard, name)}
    return fields | {path.name for path in (template_folder() / "sql" / language.name).glob("*.j2")}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_emitted_is_what_was_approved(dialect: str, golden: Golden) -> None:
    """To the byte, the comments of the golden file left out."""
    golden(f"sql/{dialect}.sql", emitted(dialect))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_deviation_has_its_reason(dialect: str) -> None:
    """One comment for each field in which the dialect prints otherwise than the standard, and none besides."""
    lines = (GOLDEN / f"sql/{dialect}.sql").read_text(encoding="utf-8").splitlines()
    reasons = [line.removeprefix("--# ").split(": ", 1) for line in lines if line.startswith("--#")]
    assert all(len(reason) == 2 and len(reason[1]) > 15 for reason in reasons)
    assert sorted(name for names, _ in reasons for name in names.split(", ")) == sorted(
        deviations(DIALECTS[dialect].spelling)
    )


def test_the_fields_that_print_are_fields() -> None:
    """The names in this file are those of Language."""
    assert set(PRINTED) <= {field.name for field in attrs.fields(Language)}


@pytest.mark.parametrize(
    ("name", "emit"),
    [
        ("questions.py.txt", partial(to_python, style="full")),
        ("questions.mjs.txt", partial(to_javascript, style="full")),
    ],
)
def test_the_questions_of_a_module_are_what_was_approved(name: str, emit: Any, golden: Golden) -> None:
    """The part that asks, to the byte: the rest of a module is the template's."""
    lines = emit(golden_tree(), layout="flat").splitlines(True)
    (end,) = (index for index, line in enumerate(lines) if "no rule fires" in line)
    start = next(
        index for index, line in enumerate(lines) if line.lstrip().startswith("if") and repr(0.1 + 0.2) in line
    )
    golden(name, "".join(lines[start:end]))
