"""Resolve the types of signatures: a class that is defined in an inner module is described by its public name.

A strict build reports each name that leads nowhere. Signatures name classes by the module that defines them, so
`treerules.trees.tree.Tree` is looked up as `treerules.Tree`. Classes that are not public, and those of other projects,
are plain text; a name that does not exist is still reported.
"""

from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from treerules.cli.help_pages import ERRORS, page_sections

PACKAGES = (
    "treerules",
    "treerules.trees",
    "treerules.formats",
    "treerules.readers",
    "treerules.importers",
    "treerules.sklearn",
    "treerules.criteria",
    "treerules.emit",
    "treerules.proof",
    "treerules.report",
    "treerules.testing",
)
#: Other projects whose types stand in signatures.
OTHERS = frozenset(
    [
        "attr",
        "builtins",
        "collections",
        "datetime",
        "fractions",
        "hypothesis",
        "jinja2",
        "narwhals",
        "numpy",
        "pathlib",
        "types",
        "typing",
    ]
)


@cache
def _public_names() -> dict[str, str]:
    """Return the public name of each public class, by its class name and by the name with its module."""
    names: dict[str, str] = {}
    for package in PACKAGES:
        module = import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            public = f"{package}.{name}"
            names.setdefault(name, public)
            module_name = str(getattr(value, "__module__", ""))
            if module_name.startswith("treerules"):  # an alias such as Counts has the module of Sequence
                names.setdefault(f"{module_name}.{getattr(value, '__qualname__', name)}", public)
    return names


@cache
def _inner_names() -> frozenset[str]:
    """Return the names that modules of the package hold, with and without their modules."""
    import treerules

    names: set[str] = set()
    for module in walk_packages(treerules.__path__, "treerules."):
        if not module.name.endswith("__main__") and ".compiled" not in module.name:
            names.update(vars(import_module(module.name)))
            names.update(f"{module.name}.{name}" for name in vars(import_module(module.name)))
    return frozenset(names)


def _resolve(app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement) -> Any:
    """Return a link to the public name, plain text for a name that has no page, or None for an unknown name."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    public = _public_names().get(target)
    domain = env.domains.python_domain
    if public is not None and public in domain.objects:
        entry = domain.objects[public]
        return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, content, public)
    error = target.rpartition(".")[2]
    if error in page_sections(ERRORS):
        return make_refnode(app.builder, node["refdoc"], "reference/errors", error.lower(), content, error)
    if target in _inner_names() or target.partition(".")[0] in OTHERS or hasattr(__builtins__, target):
        return content
    return None


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the resolver."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
