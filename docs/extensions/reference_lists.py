"""The directives `finding-codes` and `public-names`: pages of the reference that the code itself fills."""

from importlib import import_module
from inspect import isclass, isfunction
from pkgutil import walk_packages
from types import ModuleType

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

from treerules.lint.codes import CODES


class FindingCodes(SphinxDirective):
    """A section for each code of findings in SQL: what it means, SQL that has it, and the mended SQL."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        lines: list[str] = []
        for row in CODES.values():
            lines += [f"## {row.code} {row.name}", "", f"*{row.severity}.* {row.sentence} {row.explanation}", ""]
            for title, sql in (("With the finding:", row.wrong), ("Without it:", row.mended)):
                lines += [title, "", "```sql", *sql.splitlines(), "```", ""] if sql else []
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


class PublicNames(SphinxDirective):
    """The public names of a package, each with its docstring: functions, then classes, then other values."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the descriptions, which autodoc makes."""
        package = import_module(self.arguments[0])
        described: list[nodes.Node] = []
        for title, directive, names in _groups(package):
            if names:
                lines = [f"## {title}", "", "```{eval-rst}"]
                for name in names:
                    options = _OPTIONS[directive] if directive != "data" else _comment(package, name)
                    lines += [f".. py:{directive}:: {package.__name__}.{name}".replace("py:auto", "auto"), *options, ""]
                text = "\n".join([*lines, "```"])
                described += self.parse_text_to_nodes(text, allow_section_headings=True)
        return described


_OPTIONS = {
    "autofunction": [],
    "autoclass": ["   :members:", "   :undoc-members:"],
    "autoexception": ["   :members:"],
}


def _comment(package: ModuleType, name: str) -> list[str]:
    """Return the comment `#:` above the assignment of a value, in one of the modules of a package."""
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        comments = ModuleAnalyzer.for_module(module.name).find_attr_docs()
        if ("", name) in comments:
            return ["", *(f"   {line}" for line in comments["", name])]
    raise ExtensionError(f"{package.__name__}.{name} has no comment that describes it")


def _groups(package: ModuleType) -> list[tuple[str, str, list[str]]]:
    """Return the titles of groups of names, the directives of autodoc for them, and the names."""
    names = sorted(package.__all__, key=str.casefold)  # type: ignore[attr-defined]
    values = {name: getattr(package, name) for name in names if name != "__version__"}
    errors = [name for name, value in values.items() if isclass(value) and issubclass(value, Exception)]
    classes = [name for name, value in values.items() if isclass(value) and name not in errors]
    functions = [name for name, value in values.items() if isfunction(value)]
    others = [name for name in values if name not in {*errors, *classes, *functions}]
    return [
        ("Functions", "autofunction", functions),
        ("Classes", "autoclass", classes),
        ("Errors", "autoexception", errors),
        ("Other values", "data", others),
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    app.add_directive("finding-codes", FindingCodes)
    app.add_directive("public-names", PublicNames)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
