"""Where templates are found, and how they are rendered.

Templates hold layout, Python holds decisions: a template prints a flat list of lines whose texts are ready.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import asdict

from treerules.errors import FileError, OptionError, TemplateFailedError


def shipped() -> Path:
    """Return the folder of the templates that treerules ships: in the wheel, else in the checkout."""
    package = Path(str(files("treerules")))
    packaged = package / "templates"
    return packaged if packaged.is_dir() else package.resolve().parents[1] / "templates"


def rendered(name: str | Sequence[str], folder: str | Path | None = None, context: Any = None, **values: Any) -> str:
    """Return a template's text; `folder` is searched before the shipped templates.

    The first of several names that is found is taken. The template is given the `values`, and the fields of the
    `context`, an attrs value.

    Raises:
        FileError: there is no such folder.
        TemplateFailedError: the template has an error, or names a value that it is not given.
    """
    from jinja2 import TemplateError

    names = [name] if isinstance(name, str) else list(name)
    given = {**({} if context is None else asdict(context, recurse=False)), **values}
    if folder is not None and not isinstance(folder, (str, Path)):
        raise OptionError("templates", folder, "a folder of templates")
    if folder is not None and not Path(folder).is_dir():
        raise FileError(str(folder), "is not a folder", "name a folder with templates such as sql/expression.sql.j2")
    try:
        template = _environment(None if folder is None else str(folder)).select_template(names)
        return str(template.render(given))
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        raise TemplateFailedError(names[-1], f"{type(error).__name__}: {error}") from error


@lru_cache(maxsize=8)
def _environment(folder: str | None) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folders = [*([Path(folder)] if folder else []), shipped()]

    def source(name: str) -> tuple[str, str, Any] | None:
        path = next((place / name for place in folders if (place / name).is_file()), None)
        if path is None:
            return None
        read = path.stat().st_mtime_ns
        return path.read_text(encoding="utf-8"), str(path), lambda: path.stat().st_mtime_ns == read

    return Environment(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # in code and plain text every value comes as a finished literal; HTML is escaped by the template
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
    )
