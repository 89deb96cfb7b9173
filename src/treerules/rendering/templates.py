"""Finding templates and rendering them.

Templates hold layout, Python holds decisions: a template prints finished lines and cells.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from os.path import isdir
from pathlib import Path
from typing import Any

from attrs import asdict

from treerules.errors import FileError, OptionError, TemplateFailedError


def template_folder() -> Path:
    """Return the folder of treerules' own templates: in the wheel, else in the checkout."""
    package = Path(str(files("treerules")))
    packaged = package / "templates"
    return packaged if packaged.is_dir() else package.resolve().parents[1] / "templates"


def render_template(
    name: str | Sequence[str], folder: str | Path | None = None, context: Any = None, **values: Any
) -> str:
    """Return the text of a template.

    Args:
        name: The name of the template, or several names, of which the first that exists is taken.
        folder: A folder that is searched before treerules' own templates.
        context: An attrs value, whose fields are the names in the template.
        **values: Further names in the template.

    Raises:
        FileError: The folder does not exist.
        TemplateFailedError: The template has an error, or uses a name that is not defined.
    """
    from jinja2 import TemplateError

    names = [name] if isinstance(name, str) else list(name)
    defined = {**({} if context is None else asdict(context, recurse=False)), **values}
    if folder is not None and not isinstance(folder, (str, Path)):
        raise OptionError("templates", folder, "a folder of templates")
    if folder is not None and not isdir(folder):  # noqa: PTH112 - Path.is_dir raises for long names
        raise FileError(str(folder), "is not a folder", "name a folder with templates such as sql/expression.sql.j2")
    try:
        template = _environment(None if folder is None else str(folder)).select_template(names)
        return str(template.render(defined))
    except (TemplateError, TypeError, ValueError, ArithmeticError) as error:
        raise TemplateFailedError(names[-1], f"{type(error).__name__}: {error}") from error


@lru_cache(maxsize=8)
def _environment(folder: str | None) -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folders = [*([Path(folder)] if folder else []), template_folder()]

    def source(name: str) -> tuple[str, str, Any] | None:
        path = next((parent / name for parent in folders if (parent / name).is_file()), None)
        if path is None:
            return None
        modified = path.stat().st_mtime_ns
        return path.read_text(encoding="utf-8"), str(path), lambda: path.stat().st_mtime_ns == modified

    return Environment(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # code and plain text get finished literals; only HTML and SVG are escaped by the template
        autoescape=lambda name: name is not None and name.endswith((".html.j2", ".svg.j2")),
    )
