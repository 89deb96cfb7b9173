"""The public functions: every parameter is documented, and a value of a wrong type is an error of ours.

Wrong values are a tree, rules, a table, a data frame, a text, a number and None, each in each parameter.
"""

import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier
from toolz import isdistinct

import treerules as tr
from paths import ROOT
from selection import few
from treerules import criteria, emit, formats, importers, proof, readers, report, testing, trees
from treerules import sklearn as estimators
from treerules.errors import TreeRulesError
from treerules.sql.dialects import DUCKDB

PACKAGES = (tr, trees, criteria, importers, readers, formats, emit, proof, report, testing, estimators)


def public_functions() -> dict[str, Callable[..., Any]]:
    """Return the public functions by their name in `treerules`, or in the public package that has them."""
    functions: dict[str, Callable[..., Any]] = {}
    for package in PACKAGES:
        prefix = "" if package is tr else package.__name__.removeprefix("treerules.") + "."
        for name in package.__all__:
            value = getattr(package, name)
            if inspect.isfunction(value) and value not in functions.values():
                functions[prefix + name] = value
    return functions


FUNCTIONS = public_functions()


def sections(docstring: str) -> dict[str, str]:
    """Return the text of each section of a docstring, such as Args."""
    parts = re.split(r"^(Args|Returns|Yields|Raises|Examples):\n", inspect.cleandoc(docstring), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(docstring: str) -> dict[str, str]:
    """Return what the section Args says of each parameter."""
    text = sections(docstring).get("Args", "")
    entries = re.split(r"^    (\*{0,2}\w+)(?: \([^)]*\))?:", text, flags=re.MULTILINE)
    return {name.lstrip("*"): " ".join(entry.split()) for name, entry in zip(entries[1::2], entries[2::2], strict=True)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_is_documented(name: str) -> None:
    """Args has an entry for each parameter, in more words than its name; no entry is for another one."""
    function = FUNCTIONS[name]
    entries = documented(function.__doc__ or "")
    parameters = list(inspect.signature(function).parameters)
    assert list(entries) == parameters
    assert not [parameter for parameter, text in entries.items() if len(text.split()) < 3]


#: Functions that raise what their arguments raise.
WITHOUT_ERRORS = {"report.tables_report", "testing.parametrize_rules", "trees.unfold"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_says_what_it_returns_and_raises(name: str) -> None:
    """The docstring starts with a finite verb; Returns or Yields stands there unless nothing is returned."""
    function = FUNCTIONS[name]
    docstring = function.__doc__ or ""
    assert re.match(r"[A-Z][a-z]+ .*\.$", docstring.split("\n")[0]), docstring.split("\n")[0]
    found = sections(docstring)
    returns_nothing = function.__annotations__.get("return") in (None, "None")
    assert returns_nothing or "Returns" in found or "Yields" in found
    assert "Raises" in found or name in WITHOUT_ERRORS


# ---- names


def listed_names() -> dict[str, set[str]]:
    """Return the names in the tables of docs/en/reference/api.md, by the package that the heading above them names."""
    page = (ROOT / "docs" / "en" / "reference" / "api.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)
    names = {
        title.strip("`"): set(re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\|.*", text, flags=re.MULTILINE))))
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {package: names[package] for package in names if package.startswith("treerules")}


def test_the_top_is_small_and_no_name_is_public_twice() -> None:
    """`treerules` has at most 80 names, and each public name stands in exactly one public package."""
    assert len(tr.__all__) <= 80
    packages = PACKAGES
    assert {f"treerules.{name}" for name in tr._MODULES} - {each.__name__ for each in packages} == {
        "treerules.curried",  # the same functions, curried
        "treerules.errors",  # a module, which defines the base class too
    }
    assert isdistinct([name for package in packages for name in package.__all__])


def test_each_public_name_is_documented() -> None:
    """docs/en/reference/api.md lists the names of each public package, and no other."""
    assert listed_names() == {each.__name__: set(each.__all__) for each in PACKAGES}


# ---- wrong types


LOAN = ROOT / "examples" / "loan.csv"


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    """Return one value of each sort that people confuse."""
    table = readers.read_csv(LOAN)
    tree = tr.learn(table, target="类别", recipe=tr.cart())
    frame = pd.read_csv(LOAN)
    rules = tr.compile_rules(tree)
    return {"tree": tree, "rules": rules, "table": table, "frame": frame, "text": "x", "number": 3, "None": None}


def calls(values: Mapping[str, Any], folder: Path) -> dict[str, dict[str, Any]]:
    """Return arguments with which each function succeeds: those in which the wrong values are put."""
    tree, rules, table = values["tree"], values["rules"], values["table"]
    row = {"有工作": "是"}
    listed = tr.RuleList(rules.schema, rules.rules)
    text = formats.rules_to_text(rules)
    sql = "CASE WHEN x < 3 THEN 'a' ELSE 'b' END"
    (parsed,) = formats.rules_from_sql(sql, dialect="duckdb")
    model, module = folder / "loan.tree.json", folder / "loan.py"
    tr.save(tree, model)
    (folder / "rules.j2").write_text("one line")
    module.write_text(tr.to_python(tree), encoding="utf-8")
    learned = {"table": table, "target": "类别"}
    best = tr.learn(**learned, recipe=tr.optimal(max_depth=1, leaf_penalty=0))
    certificate = proof.prove_optimal(best, table)
    proof.save_certificate(certificate, folder / "best.certificate.json")
    ensemble = tr.Ensemble(tree.schema, [tree], [0.0, 0.0])
    fitted = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    return {
        "apply": {"tree": tree, "table": table},
        "check": {"rules": rules},
        "check_list": {"rules": listed},
        "compare_recipes": {**learned, "folds": 2, "recipes": [tr.cart(), tr.id3()]},
        "compile_rules": {"tree": tree},
        "cost_complexity_path": {"tree": tree},
        "cross_validate": {**learned, "recipe": tr.cart(), "folds": 2},
        "formats.decision_table_text": {"rules": rules},
        "trees.descend": {"tree": tree, "context": 0, "step": lambda node, context: (context, [context] * 9)},
        "diff": {"old": tree, "new": rules},
        "evaluate": {"tree": tree, "table": table},
        "explain": {"rules": tree, "row": row},
        "feature_gains": learned,
        "trees.find_leaf": {"tree": tree, "row": row},
        "trees.fold": {"tree": tree, "leaf": lambda leaf: 1, "split": lambda split, children: sum(children)},
        "holdout": learned,
        "importances": {"tree": tree},
        "learn": learned,
        "trees.leaves": {"tree": tree},
        "load": {"path": model},
        "trees.paths": {"tree": tree},
        "penalised_loss": {"tree": tree, "alpha": 1.0},
        "permutation_importances": {"tree": tree, "table": table},
        "predict": {"tree": tree, "table": table},
        "predict_proba": {"tree": tree, "table": table},
        "predict_table": {"tree": tree, "table": table},
        "trees.predict_margin": {"ensemble": ensemble, "table": table},
        "trees.preorder": {"tree": tree},
        "prune": {"tree": tree, "method": "cost_complexity", "alpha": 0.1},
        "read": {"path": LOAN},
        "read_rules": {"path": model},
        "relearn": {"tree": tree, "table": table},
        "render": {"result": tree},
        "review": {"rules": formats.rules_from_text(text)},
        "rule_metrics": {"rules": rules, "table": table},
        "formats.rules_from_text": {"text": text},
        "formats.rules_to_text": {"rules": rules},
        "proof.certify": {"certificate": certificate, "table": table},
        "proof.load_certificate": {"path": folder / "best.certificate.json"},
        "proof.prove_optimal": {"tree": best, "table": table},
        "proof.save_certificate": {"certificate": certificate, "path": folder / "saved.certificate.json"},
        "save": {"tree": tree, "path": folder / "saved.tree.json"},
        "to_dbt": {"source": tree},
        "to_dmn": {"rules": rules},
        "to_exclusive": {"rules": listed},
        "to_javascript": {"source": tree},
        "to_python": {"source": tree},
        "to_sql": {"source": tree, "dialect": "duckdb"},
        "tree_from_rules": {"rules": rules},
        "verify": {"source": tree, "against": module},
        "criteria.conditional_entropy": {"groups": [(4, 1), (3, 2)]},
        "criteria.entropy": {"counts": (9, 5)},
        "criteria.gain_ratio": {"groups": [(4, 1), (3, 2)]},
        "criteria.gini": {"counts": (9, 5)},
        "criteria.gini_of_split": {"groups": [(4, 1), (3, 2)]},
        "criteria.information_gain": {"groups": [(4, 1), (3, 2)]},
        "criteria.split_information": {"groups": [(4, 1), (3, 2)]},
        "criteria.squared_error": {"values": [1.0, 2.0]},
        "readers.read_csv": {"path": LOAN},
        "formats.rewrite_case": {"parsed": parsed, "dialect": "duckdb"},
        "formats.rules_from_csv": {"text": formats.decision_table_text(rules)},
        "formats.rules_from_dmn": {"text": tr.to_dmn(rules)},
        "formats.rules_from_markdown": {"text": formats.decision_table_text(rules, format="md")},
        "importers.from_sklearn": {"fitted": fitted},
        "importers.import_model": {"fitted": fitted},
        "formats.rules_from_sql": {"text": sql, "dialect": "duckdb"},
        "trees.tree_from_json": {"text": trees.tree_to_json(tree)},
        "trees.tree_to_json": {"tree": tree},
        "emit.estimate": {"model": tree, "dialect": "duckdb"},
        "emit.opening_in": {"text": tr.to_python(tree)},
        "emit.to_code": {"source": tree, "language": DUCKDB.spelling, "template": "rules.j2", "templates": folder},
        "emit.rules_table_sql": {"source": rules, "dialect": "duckdb", "keys": ["id"]},
        "emit.rules_table_statements": {"source": rules, "dialect": "duckdb", "keys": ["id"]},
        "report.report_page": {"model": tree, "data": table},
        "report.tables_report": {"result": int, "parts": list, "table": list, "record": dict},
        "testing.assert_complete": {"rules": rules},
        "testing.assert_equivalent": {"a": tree, "b": rules},
        "testing.assert_exclusive": {"rules": rules},
        "testing.boundary_rows": {"source": tree},
        "testing.check_rules": {"rules": rules},
    }


#: Parameters whose value is only used where another parameter asks for it, or is tested elsewhere.
UNTRIED = {"progress", "templates"}


def accepts(annotation: Any, value: Any) -> bool:
    """Whether an annotation allows a value; a text is no collection of texts."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is Any or isinstance(annotation, TypeVar):
        return True
    if origin in (Union, UnionType):
        return any(accepts(one, value) for one in arguments)
    if origin is Literal:
        return isinstance(value, str) and value in arguments
    if annotation in (None, type(None)):
        return value is None
    return is_of(origin or annotation, value)


def is_of(kind: Any, value: Any) -> bool:
    """Whether a value is of a class, a protocol or, where it is neither, a function."""
    if not isinstance(kind, type):
        return callable(value)
    if getattr(kind, "_is_protocol", False):
        members = [member for member in (*kind.__annotations__, *vars(kind)) if not member.startswith("_")]
        return all(hasattr(value, member) for member in members or ["__call__"])
    if kind is float:
        return isinstance(value, (int, float))
    return isinstance(value, kind) and (kind is str or not isinstance(value, str))


def is_ours(error: Exception) -> bool:
    """Whether an error is one of treerules, or a TypeError that a line of treerules raises."""
    if isinstance(error, TreeRulesError):
        return True
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return isinstance(error, TypeError) and "treerules" in frame.filename and (frame.line or "").startswith("raise ")


def outcome(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Return what a function returns; of an iterator, its values."""
    result = function(**arguments)
    return list(result) if isinstance(result, Iterator) else result


@pytest.fixture(scope="module")
def arguments_of(values: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the arguments with which each function succeeds."""
    return calls(values, tmp_path_factory.mktemp("calls"))


#: Functions that are called in their own tests, since they need a database, a subprocess for each call or only options.
ELSEWHERE = {
    *("auto", "c45", "cart", "id3", "load_recipe", "optimal", "trees.unfold", "verify", "readers.read_connection"),
    *(
        "readers.read_jsonl",
        "readers.read_parquet",
        "readers.read_query",
        "readers.read_sqlite",
        "report.write_parquet",
    ),
    *("testing.parametrize_rules", "testing.rows", "testing.rule_sets", "testing.schemas", "testing.tables"),
    *("testing.trees",),
}


def test_each_public_function_is_called(arguments_of: dict[str, dict[str, Any]]) -> None:
    """Each function succeeds with its arguments, or is one of those that are tested elsewhere."""
    assert set(FUNCTIONS) - ELSEWHERE == set(arguments_of) - ELSEWHERE
    for name, arguments in arguments_of.items():
        outcome(FUNCTIONS[name], arguments)


@pytest.mark.parametrize("name", few(sorted(set(FUNCTIONS) - ELSEWHERE), 35))
def test_a_value_of_a_wrong_type_is_an_error_of_ours(
    name: str,
    values: dict[str, Any],
    arguments_of: dict[str, dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In each parameter: a value that its annotation does not allow gives no result, and no other error."""
    monkeypatch.chdir(tmp_path)  # a text is a path too, and a file may be written there
    function, arguments = FUNCTIONS[name], arguments_of[name]
    wrong = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD or parameter.name in UNTRIED:
            continue
        for sort, value in values.items():
            allowed = accepts(parameter.annotation, value)
            try:
                outcome(function, {**arguments, parameter.name: value})
            except Exception as error:
                if not is_ours(error):
                    wrong.append(f"{parameter.name}={sort}: {type(error).__name__}: {error}")
            else:
                if not allowed:
                    wrong.append(f"{parameter.name}={sort}: a result")
    assert not wrong, "\n".join(wrong)
