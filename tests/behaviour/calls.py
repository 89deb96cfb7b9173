"""All that the recording calls of treerules: the only file that imports it, so that a renaming touches one place.

The names on the right of `as`, and those defined here, are what the recording uses; they stay.
"""

import copy
import pickle
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import attrs
import numpy as np

import treerules as top
from treerules import (
    ColumnDomain,
    Condition,
    Feature,
    Interval,
    Kind,
    Members,
    Recipe,
    Rule,
    RuleFigures,
    RuleList,
    RuleSet,
    Schema,
    Table,
    Tree,
    TreeRulesError,
    apply,
    c45,
    cart,
    check,
    check_list,
    compare_recipes,
    compile_rules,
    cost_complexity_path,
    cross_validate,
    diff,
    evaluate,
    explain,
    id3,
    importances,
    load,
    load_recipe,
    penalised_loss,
    permutation_importances,
    predict,
    predict_proba,
    predict_table,
    read_rules,
    readers,
    relearn,
    render,
    review,
    rule_metrics,
    save,
    to_dbt,
    to_dmn,
    to_exclusive,
    to_javascript,
    to_python,
    to_sql,
    tree_from_rules,
    verify,
)
from treerules import criteria as measures
from treerules._internal.jit import is_installed as has_numba
from treerules._internal.version import __version__ as version
from treerules.cli import main as run_command
from treerules.cli.terminal_tables import split_table as fitting
from treerules.curried import prune
from treerules.data.column import of_values
from treerules.emit import Language, rules_table_sql, rules_table_statements, to_code
from treerules.emit.sql.statement_kinds import SQL_KINDS
from treerules.formats import (
    ParsedRules,
    decision_table_text,
    rewrite_case,
    rules_from_csv,
    rules_from_dmn,
    rules_from_markdown,
    rules_from_sql,
    rules_from_text,
    rules_to_text,
)
from treerules.formats.pasted_rows import row_from_text
from treerules.formats.schema_json import schema_from_json as declared_from_json
from treerules.formats.template_contexts import CONTEXTS
from treerules.growing.array_tree_nodes import to_nodes
from treerules.growing.kernel_refusals import kernel_refusal
from treerules.growing.levelwise.level_growth import grow_by_levels, level_refusal
from treerules.growing.problem import problem_of
from treerules.growing.reference.grower import REFERENCE
from treerules.growing.task import GrowthTask
from treerules.proof.review import Review
from treerules.pruning.error_bounds import LIMITS, extra_errors
from treerules.pruning.pruners import PRUNERS as METHODS
from treerules.rendering.text_tables import TextTable, table_text
from treerules.report import Reviews, write_parquet
from treerules.rules.sources import rules_of
from treerules.rules.wording import rule_text
from treerules.sql.dialects import DIALECTS
from treerules.testing import (
    Sql,
    assert_complete,
    assert_equivalent,
    assert_exclusive,
    boundary_rows,
    check_rules,
    parametrize_rules,
    rows,
    rule_sets,
    schemas,
    tables,
    trees,
)
from treerules.testing import assert_equivalent as assert_answers_equal
from treerules.testing.edge_cases import NAMES, POOLS
from treerules.testing.mutations import EDITS, mutate
from treerules.testing.tree_builder import SeededChoices, build_tree, draw_feature, draw_routed_test, draw_target
from treerules.testing.tree_builder import draw_leaf as drawn_leaf
from treerules.trees import (
    CategoryTest,
    ClassPrediction,
    Leaf,
    MeanPrediction,
    Split,
    ThresholdTest,
    descend,
    find_leaf,
    fold,
    leaves,
    paths,
    preorder,
    tree_from_json,
    unfold,
)
from treerules.trees.provenance import hash_of

__all__ = (
    "CONTEXTS",
    "DIALECTS",
    "DRAWINGS",
    "EDITS",
    "FUNCTION_NAMES",
    "GROWERS",
    "LIMITS",
    "METHODS",
    "NAMES",
    "POOLS",
    "SQL_KINDS",
    "VERDICT_FORMATS",
    "CategoryTest",
    "ClassPrediction",
    "ColumnDomain",
    "Condition",
    "Feature",
    "Interval",
    "Kind",
    "Language",
    "Leaf",
    "MeanPrediction",
    "Members",
    "ParsedRules",
    "Recipe",
    "Rule",
    "RuleFigures",
    "RuleList",
    "RuleSet",
    "Schema",
    "SeededChoices",
    "Split",
    "Sql",
    "Table",
    "TextTable",
    "ThresholdTest",
    "Tree",
    "TreeRulesError",
    "apply",
    "assert_answers_equal",
    "assert_complete",
    "assert_equivalent",
    "assert_exclusive",
    "boundary_rows",
    "build_tree",
    "c45",
    "cart",
    "check",
    "check_list",
    "check_rules",
    "compare_recipes",
    "compile_rules",
    "copied",
    "cost_complexity_path",
    "cross_validate",
    "cross_validation_text",
    "decision_table_text",
    "declared_from_json",
    "descend",
    "diff",
    "diff_text",
    "draw_feature",
    "draw_routed_test",
    "draw_target",
    "drawn_leaf",
    "evaluate",
    "evaluation_text",
    "explain",
    "explanation_text",
    "extra_errors",
    "feature_gains",
    "find_leaf",
    "fingerprint",
    "fitting",
    "fold",
    "gains_text",
    "grid_text",
    "has_numba",
    "id3",
    "importances",
    "importances_text",
    "learn",
    "leaves",
    "load",
    "load_recipe",
    "main",
    "measures",
    "mutate",
    "of_values",
    "outcome",
    "parametrize_rules",
    "paths",
    "penalised_loss",
    "permutation_importances",
    "pickled",
    "predict",
    "predict_proba",
    "predict_table",
    "predictions_text",
    "preorder",
    "prune",
    "read",
    "read_connection",
    "read_csv",
    "read_file",
    "read_jsonl",
    "read_parquet",
    "read_query",
    "read_rules",
    "read_sqlite",
    "relearn",
    "review",
    "reviews_text",
    "rewrite_case",
    "row_from_text",
    "rows",
    "rule_metrics",
    "rule_sets",
    "rule_text",
    "rules_from_csv",
    "rules_from_dmn",
    "rules_from_markdown",
    "rules_from_sql",
    "rules_from_text",
    "rules_table_sql",
    "rules_table_statements",
    "rules_text",
    "rules_to_text",
    "save",
    "schemas",
    "scores_text",
    "table_text",
    "tables",
    "to_code",
    "to_dbt",
    "to_dmn",
    "to_exclusive",
    "to_javascript",
    "to_python",
    "to_sql",
    "told",
    "top",
    "tree_from_json",
    "tree_from_rules",
    "tree_text",
    "tree_to_json",
    "trees",
    "unfold",
    "verdict_text",
    "verify",
    "version",
    "write_parquet",
)

#: Classes that were renamed since the recording: the new name, and the one that was recorded.
RENAMED: dict[str, str] = {
    "CategoryTest": "Groups",
    "ClassPrediction": "Label",
    "DeclaredSchema": "Declared",
    "ExclusiveRules": "Exclusive",
    "FeatureGains": "Gains",
    "GainBranch": "Side",
    "MeanPrediction": "Mean",
    "ParseError": "WrittenError",
    "ParsedRules": "Written",
    "RaisedError": "Raised",
    "PathStep": "Step",
    "RecipeComparison": "Grid",
    "RecipeResult": "GridRow",
    "RuleFigures": "Figures",
    "RuleMetrics": "RuleScore",
    "RulePair": "Claimed",
    "RuleSetMetrics": "Scores",
    "SubsumedRule": "Shadowed",
    "ThresholdTest": "Threshold",
    "UnparsedPart": "Unread",
}
#: The names that the recording has for functions whose names stand in names of lines.
FUNCTION_NAMES = {"rule_metrics": "score"}
#: The names that the recording has for fields, by class; `cut_off` names fields too.
RENAMED_FIELDS = {
    "ListVerdict": {"subsumed": "never"},
    "ParsedRules": {"unparsed": "unread"},
    "Review": {"parsed": "written"},
    "RuleSetMetrics": {"has_target": "judged"},
    "Verdict": {"subsumed": "shadowed"},
}
#: Fields that classes have had since then, which are left out.
NEW_FIELDS = {
    "Diff": ("old_names", "new_names"),
    "Difference": ("names", "reasons"),
    "Equivalence": ("is_proved", "assumption"),
    "Explanation": ("names",),
    "Feature": ("reading",),
    "Importances": ("criterion",),
    "ListVerdict": ("rules", "by_budget"),
    "Recipe": ("own_criterion",),
    "RuleList": ("domain",),
    "RuleSet": ("domain",),
    "RuleSetMetrics": ("names",),
    "Verdict": ("rules", "by_budget"),
}


# ---- the recording says `keep`: columns that are features beside those that are useful


def _chosen(table: Any, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `learn` in which `features` names what `keep` kept, and all that is useful."""
    others = {name: value for name, value in choices.items() if name != "keep"}
    kept = choices.get("keep", ())
    if not kept:
        return others
    names = table.schema.indices if isinstance(table, Table) else ()
    if isinstance(kept, str) or not set(kept).issubset(names):
        return {**others, "features": kept}
    kept = [name for name in kept if name != others.get("target") and name not in others.get("drop", ())]
    posed = {
        name: others[name] for name in ("target", "task", "drop", "weight", "drop_missing_target") if name in others
    }
    useful = [feature.name for feature in problem_of(table, recipe=cart(), **posed).schema.features]
    return {**{name: value for name, value in others.items() if name != "drop"}, "features": [*useful, *kept]}


def _with_columns(read: Callable[..., Any]) -> Callable[..., Any]:
    """Return a reader that takes `keep`, the columns that are read besides those of a schema."""

    def reader(*arguments: Any, **choices: Any) -> Any:
        return read(*arguments, **{"extra_columns" if name == "keep" else name: choices[name] for name in choices})

    return reader


read = read_file = _with_columns(top.read)
read_connection, read_csv, read_jsonl, read_parquet, read_query, read_sqlite = map(
    _with_columns,
    (
        readers.read_connection,
        readers.read_csv,
        readers.read_jsonl,
        readers.read_parquet,
        readers.read_query,
        readers.read_sqlite,
    ),
)


def with_recorded_notes(text: str) -> str:
    """Return a text in which the notes on columns left out are those of the recording, which name `keep`."""
    note = r"left out '([^']*)': ([^;]*); to use it, name it in features=, --features"
    return re.sub(note, r"left out '\1': \2; keep it with keep=['\1'], --keep \1", text)


def tree_to_json(tree: Any) -> str:
    """Return the JSON of a tree with the notes of the recording, which its digest covers."""
    if isinstance(tree, Tree):
        tree = attrs.evolve(tree, notes=tuple(map(with_recorded_notes, tree.notes)))
    return top.trees.tree_to_json(tree)


def learn(table: Any = None, **choices: Any) -> Any:
    """As `learn_by_default`, but whole trees by CART without a recipe, as all sections but that of the defaults ask."""
    return learn_by_default(table, **{"recipe": top.cart(), **choices})


def learn_by_default(table: Any = None, **choices: Any) -> Any:
    """Return the tree that is learned with the choices of the recording; without a table, a function of one."""
    if table is None:
        return lambda table: learn_by_default(table, **choices)
    return top.learn(table, **_chosen(table, choices))


def feature_gains(table: Any = None, **choices: Any) -> Any:
    """Return the gains of features with the choices of the recording."""
    return top.feature_gains(table, **_chosen(table, choices))


# ---- the command line says `--keep`

#: The columns of a recorded table that were features with `--keep` and a column (and `--drop`, if it was there).
_FEATURES = {"f": "x,n,z,w,f", "x": "x,z", "年龄": "年龄,有自己的房子,信贷情况"}


def main(arguments: list[str]) -> int:
    """Run a command of the recording and return its exit code."""
    others = list(arguments)
    while "--keep" in others:
        place = others.index("--keep")
        others[place : place + 2] = ["--features", _FEATURES.get(others[place + 1], others[place + 1])]
        if "--drop" in others:  # these features leave it out
            dropped = others.index("--drop")
            del others[dropped : dropped + 2]
    return run_command(others)


# ---- reports by the names that they had

DRAWINGS = ("text", "mermaid", "dot")
VERDICT_FORMATS = ("text", "md", "csv", "json", "sarif")
cross_validation_text = evaluation_text = gains_text = grid_text = importances_text = rules_text = tree_text = render


def predictions_text(predictions: Any, format: str = "csv") -> str:
    """Return predictions as CSV, text, Markdown or JSON."""
    return render(predictions, format=format)


def explanation_text(explanation: Any, *, names: Any = None, **choices: Any) -> str:
    """Return an explanation with these names of rules."""
    return render(_evolved(explanation, names=names or {}), **choices)


def scores_text(metrics: Any, *, names: Any = None, **choices: Any) -> str:
    """Return metrics of rules with these names of rules."""
    return render(_evolved(metrics, names=names or {}), **choices)


def diff_text(found: Any, *, old_names: Any = None, new_names: Any = None, **choices: Any) -> str:
    """Return a diff with these names of rules."""
    return render(_evolved(found, old_names=old_names or {}, new_names=new_names or {}), **choices)


def verdict_text(verdict: Any, rules: Any, **choices: Any) -> str:
    """Return a verdict on these rules."""
    parsed = rules if isinstance(rules, ParsedRules) else ParsedRules(rules_of(rules))
    return render(Review(parsed, verdict), **choices)


def reviews_text(files: Any, **choices: Any) -> str:
    """Return the reviews of files, each (name, [review])."""
    return render(Reviews(files), **choices)


def _evolved(value: Any, **changes: Any) -> Any:
    return attrs.evolve(value, **changes) if attrs.has(type(value)) else value


# ---- the growers, one by one


def _problem(table: Any, recipe: Any, choices: Mapping[str, Any]) -> Any:
    return problem_of(table, **{**dict.fromkeys(("task", "weight")), "drop": (),
                                "drop_missing_target": False, "recipe": recipe, **_chosen(table, choices)})  # fmt: skip


def _by_reference(table: Any, recipe: Any, choices: Mapping[str, Any]) -> Any:
    problem = _problem(table, recipe, choices)
    return Tree(problem.schema, REFERENCE.grow(GrowthTask(problem, recipe)), recipe, problem.notes)


def _by_levels(table: Any, recipe: Any, choices: Mapping[str, Any]) -> Any:
    problem = _problem(table, recipe, choices)
    if level_refusal(problem, recipe, None) is not None:
        return None
    flat = grow_by_levels(problem, recipe, GrowthTask(problem, recipe).context())
    return Tree(problem.schema, to_nodes(flat, problem, recipe), recipe, problem.notes)


def _compiled(threads: int | None) -> Callable[..., Any]:
    def grown(table: Any, recipe: Any, choices: Mapping[str, Any]) -> Any:
        problem = _problem(table, recipe, choices)
        if kernel_refusal(problem, recipe, None) is not None:
            return None
        return learn(table, recipe=recipe, compiled=True, threads=threads, **choices)

    return grown


#: What grows a tree, by name: each takes a table, a recipe and the other choices of `learn`, and gives None where it
#: does not grow such trees.
GROWERS: dict[str, Callable[..., Any]] = {
    "reference": _by_reference,
    "levelwise": _by_levels,
    "learn": lambda table, recipe, choices: learn(table, recipe=recipe, compiled=False, **choices),
    "compiled": _compiled(None),
    "threads": _compiled(3),
}


# ---- values as text


def fingerprint(table: Any) -> str:
    """Return the hash of a table's rows, as a tree's origin has it; of a table without columns none."""
    return str(hash_of(table.columns)) if table.columns and table.n_rows else "empty"


def outcome(make: Callable[[], Any]) -> str:
    """Return what is made as text, or the class and the message of the error that is raised.

    Of an error that is neither the library's nor one that Python's own values raise, the class alone.
    """
    try:
        found = make()
        return found if isinstance(found, str) else told(found)
    except _ERRORS as error:
        kind = type(error).__name__
        return f"{RENAMED.get(kind, kind)}: {_message(error)}"
    except Exception as error:
        return type(error).__name__


#: Errors whose message is recorded.
_ERRORS = (TreeRulesError, AssertionError, TypeError, ValueError, AttributeError, KeyError, IndexError)


def _message(error: Exception) -> str:
    try:
        return str(error)
    except Exception as other:
        return f"no message, for {type(other).__name__}"


def told(value: Any) -> str:
    """Return a value as text, whatever module its class is in: fields with their names, a line each."""
    return with_recorded_notes("\n".join(_lines(value, "")))


def _fields(value: Any, kind: str) -> list[tuple[str, Any]]:
    """Return the fields of a record, by the names that the recording has."""
    names = [each.name for each in attrs.fields(type(value)) if each.name not in NEW_FIELDS.get(kind, ())]
    recorded = RENAMED_FIELDS.get(kind, {})
    values = {name: getattr(value, name) for name in names}
    if hasattr(value, "whole_domain") and "domain" in values:  # the recording has a field for what is a property now
        recorded, values["domain"] = {**recorded, "domain": "whole_domain"}, value.whole_domain
    if "cut_off" in values:
        values["cut_off"] = tuple(recorded.get(name, name) for name in values["cut_off"])
    return [(recorded.get(name, name), values[name]) for name in names]


def _lines(value: Any, indent: str) -> Iterable[str]:
    """Yield the lines of a value."""
    if isinstance(value, Tree):
        yield from (indent + line for line in tree_to_json(value).splitlines())
    elif isinstance(value, Table):
        yield from _table(value, indent)
    elif attrs.has(type(value)):
        kind = type(value).__name__
        yield f"{indent}{RENAMED.get(kind, kind)}"
        yield from _named(_fields(value, kind), indent + " ")
    elif isinstance(value, Mapping):
        yield f"{indent}mapping of {len(value)}"
        yield from _named([(_short(key), each) for key, each in value.items()], indent + " ")
    elif isinstance(value, (frozenset, set)):
        yield f"{indent}set {sorted(map(_short, value))}"
    elif isinstance(value, (list, tuple)):
        yield f"{indent}{type(value).__name__ if type(value) in (list, tuple) else 'tuple'} of {len(value)}"
        for each in value:
            yield from _lines(each, indent + " ")
    else:
        yield indent + _short(value)


def _named(pairs: Iterable[tuple[str, Any]], indent: str) -> Iterable[str]:
    for name, each in pairs:
        lines = list(_lines(each, indent + " "))
        if len(lines) == 1:
            yield f"{indent}{name}: {lines[0].strip()}"
        else:
            yield f"{indent}{name}:"
            yield from lines


def _short(value: Any) -> str:
    """Return a plain value; of what is none, its type alone."""
    if isinstance(value, Enum):
        return f"{value.value!r}"
    if isinstance(value, np.ndarray):
        return f"array {value.dtype} {value.tolist()!r}"
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.item()!r}"
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if value is None or isinstance(value, (bool, int, float, str, bytes, tuple)):
        return repr(value)
    return f"a {type(value).__name__}"


def _table(table: Any, indent: str) -> Iterable[str]:
    """Yield what a table holds: its columns, cells, notes, and the fingerprint of its rows."""
    yield f"{indent}table of {table.n_rows} rows, fingerprint {fingerprint(table)}"
    yield f"{indent}notes {list(table.notes)!r}"
    yield f"{indent}declared {sorted(table.declared)!r}"
    for column in table.columns:
        yield from _lines(column.feature, indent + " ")
        yield f"{indent}  {column.data.dtype} {[_short(column.value(row)) for row in range(min(table.n_rows, 400))]}"


def pickled(value: Any) -> Any:
    """Return a value after pickling and loading."""
    return pickle.loads(pickle.dumps(value))


def copied(value: Any) -> tuple[Any, Any]:
    """Return a shallow and a deep copy of a value."""
    return copy.copy(value), copy.deepcopy(value)


def loaded(folder: Path, tree: Any) -> Any:
    """Return a tree after saving and loading."""
    save(tree, folder / "saved.tree.json")
    return load(folder / "saved.tree.json")
