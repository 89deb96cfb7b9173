"""`render_report`: the one place that calls the writers."""

from pathlib import Path
from typing import Any

from treerules._internal.articles import with_article
from treerules.errors import OptionError
from treerules.rendering.headings import require_lang
from treerules.report.report import Report
from treerules.report.writers import write


def render_report(
    report: Report, result: Any, *, format: str, lang: str, templates: str | Path | None = None, **options: Any
) -> str:
    """Return a result as text by a report, whether or not it is a row of `REPORTS`.

    Raises:
        OptionError: The report does not have the format, the option, or this value of it.
        UnknownNameError: There are no headings in this language.
    """
    if not isinstance(format, str) or format not in report.contents:
        wanted = f"a format that {with_article(report.result.__name__)} has: {', '.join(map(repr, report.formats))}"
        raise OptionError("format", format, wanted)
    require_lang(lang)
    if templates is not None and not isinstance(templates, (str, Path)):
        raise OptionError("templates", templates, "the path of a folder")
    content = report.contents[format](result, lang, **_checked(report, options))
    text = write(content, format, lang, templates)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # lone surrogates, which no file can hold


def _checked(report: Report, options: dict[str, Any]) -> dict[str, Any]:
    """Return the values of all options of a report, by name: those passed, else the defaults.

    Raises:
        OptionError: The report does not have an option, or does not accept its value.
    """
    accepted = {option.name: option for option in report.options}
    for name, value in options.items():
        if name not in accepted:
            has = f"the options {', '.join(accepted)}" if accepted else "no options of its own"
            raise OptionError(name, value, f"no such option; {with_article(report.result.__name__)} has {has}")
        if not accepted[name].accepts(value):
            raise OptionError(name, value, accepted[name].wanted)
    return {name: options.get(name, option.default) for name, option in accepted.items()}
