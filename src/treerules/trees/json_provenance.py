"""Recipes, origins, estimated errors and declared domains in a model file: to JSON and back."""

from collections.abc import ItemsView
from datetime import date, datetime
from math import frexp
from typing import Any

from attrs import asdict, astuple

from treerules.criteria.criterion import UnknownCriterion
from treerules.data.domain import ColumnDomain, Domain
from treerules.data.schema import Schema
from treerules.errors import ModelFileError
from treerules.recipes.optimal_search import OptimalSearch
from treerules.recipes.recipe import Recipe
from treerules.recipes.recipe_record import recipe_record
from treerules.recipes.size_choice import SizeChoice
from treerules.trees.cost_bounds import CostBounds
from treerules.trees.error_estimate import ErrorEstimate, SizeError
from treerules.trees.json_values import float_of, reader_of, require_instance, value_to_json
from treerules.trees.provenance import Origin
from treerules.trees.training_values import TrainingValues


def recipe_to_json(recipe: Recipe) -> dict[str, Any]:
    """Return the record of a recipe; a user's criterion is stored as its name and a mark."""
    record = recipe_record(recipe)
    for name in ("class_weight", "priors", "costs"):
        if not isinstance(record[name], str):
            record[name] = [[_label_to_json(value) for value in row] for row in record[name]]
    return record if recipe.own_criterion is None else {**record, "own_criterion": True}


def _label_to_json(label: Any) -> Any:
    """Return a class that an option of the recipe names, or a number, as JSON; dates and text stay distinct."""
    return {"date": label.isoformat()} if isinstance(label, (date, datetime)) else value_to_json(label)


def recipe_from_json(record: Any, schema: Schema) -> Recipe | None:
    """Return the recipe of a record; its options name classes of the schema's target."""
    if record is None:
        return None
    choices = dict(require_instance(dict, record))
    scalar = schema.target.scalar if schema.target else "text"
    for name, n in (("class_weight", 1), ("priors", 1), ("costs", 2)):
        if isinstance(choices.get(name), list):
            choices[name] = [[*(_label(scalar, label) for label in row[:n]), *row[n:]] for row in choices[name]]
    if "size_choice" in choices:
        choices["size_choice"] = SizeChoice(**require_instance(dict, choices["size_choice"]))
    if "optimal_search" in choices:
        choices["optimal_search"] = OptimalSearch(**require_instance(dict, choices["optimal_search"]))
    if isinstance(choices.get("thresholds"), bool):  # earlier files say whether there are cuts
        choices["thresholds"] = ("data" if choices.get("quinlan") else "midpoint") if choices["thresholds"] else "none"
    if choices.pop("own_criterion", None) is True:  # a user's criterion, whose record is not in the file
        choices["criterion"] = UnknownCriterion(require_instance(str, choices["criterion"]))
    return Recipe(**choices)


def _label(scalar: str, label: Any) -> Any:
    """Return a class from JSON as the option of the recipe named it: the value itself, or its text."""
    if isinstance(label, dict):
        return reader_of(scalar)(label["date"])
    return float_of(label) if scalar == "number" and label in ("inf", "-inf") else label


def origin_to_json(origin: Origin) -> dict[str, Any]:
    """Return the record of an origin."""
    steps = [
        [method, None if options is None else [[name, value_to_json(value)] for name, value in options]]
        for method, options in origin.pruned
    ]
    return {
        "data": origin.data,
        "n_rows": origin.n_rows,
        "weight": origin.weight,
        "validation": origin.validation,
        **{name: value for name in ("groups", "time", "target_step") if (value := getattr(origin, name)) is not None},
        "pruned": steps,
        **({} if origin.values is None else {"values": asdict(origin.values)}),
    }


def origin_from_json(record: Any, schema: Schema) -> Origin | None:
    """Return the origin of a record; its columns of special values are features of the schema."""
    if record is None:
        return None
    steps = [
        (method, None if options is None else [(n, float(v) if (n, v) == ("alpha", "inf") else v) for n, v in options])
        for method, options in require_instance(list, require_instance(dict, record)["pruned"])
    ]
    values = _training_values(record.get("values"), schema)
    origin = Origin(**{**record, "pruned": steps, "values": values})
    columns = (origin.weight, origin.groups, origin.time)
    texts = (origin.data, *columns, origin.validation, *(method for method, _ in origin.pruned))
    step = origin.target_step
    if step is not None and not (type(step) is float and step > 0 and frexp(step)[0] == frexp(1.0)[0]):
        raise ModelFileError(f"its target was rounded to multiples of {step!r:.60}, which is not a power of two")
    if type(origin.n_rows) is not int or not all(text is None or isinstance(text, str) for text in texts):
        raise ModelFileError(f"it has the origin {record!r:.60}")
    return origin


def _training_values(record: Any, schema: Schema) -> TrainingValues | None:
    if record is None:
        return None
    values = {name: require_instance(list, names) for name, names in require_instance(dict, record).items()}
    unknown = [name for names in values.values() for name in names if schema.indices.get(name) is None]
    if unknown:
        raise ModelFileError(f"its training values name the column {unknown[0]!r:.60}, which is no feature")
    return TrainingValues(**values)


def estimate_to_json(estimate: ErrorEstimate) -> dict[str, Any]:
    """Return the record of an estimated error."""
    record = {name: value_to_json(value) for name, value in asdict(estimate, recurse=False).items() if name != "sizes"}
    record = {name: value for name, value in record.items() if name != "reason" or value}
    return {**record, "sizes": [[value_to_json(value) for value in astuple(size)] for size in estimate.sizes]}


def estimate_from_json(record: Any) -> ErrorEstimate | None:
    """Return the estimated error of a record."""
    if record is None:
        return None
    figures = dict(require_instance(dict, record))
    sizes = [SizeError(require_instance(int, n), *map(_figure, errors)) for n, *errors in figures.pop("sizes")]
    n_folds, n_rules = (require_instance(int, figures.pop(name)) for name in ("n_folds", "n_rules"))
    measure, chosen_by = (require_instance(str, figures.pop(name)) for name in ("measure", "chosen_by"))
    reason = require_instance(str, figures.pop("reason", ""))
    values: dict[str, Any] = {name: None if value is None else _figure(value) for name, value in figures.items()}
    return ErrorEstimate(measure, chosen_by, n_folds, **values, n_rules=n_rules, sizes=sizes, reason=reason)


def bounds_to_json(bounds: CostBounds) -> dict[str, Any]:
    """Return the record of what is proved about a tree's cost."""
    return {name: value_to_json(value) for name, value in asdict(bounds).items()}


def bounds_from_json(record: Any) -> CostBounds | None:
    """Return what is proved about a tree's cost, from a record."""
    if record is None:
        return None
    figures = dict(require_instance(dict, record))
    max_depth = require_instance(int, figures.pop("max_depth"))
    return CostBounds(**{name: _figure(value) for name, value in figures.items()}, max_depth=max_depth)


def domain_to_json(domain: Domain) -> dict[str, Any]:
    """Return the record of a declared domain."""
    return {name: {key: value_to_json(part) for key, part in asdict(column).items()} for name, column in domain.items()}


def domain_from_json(record: Any, schema: Schema) -> Domain:
    """Return the declared domain of a record; its columns are features of the schema."""
    return {name: _column_domain(column, schema.feature(name).scalar) for name, column in _items(record)}


def _column_domain(record: Any, scalar: str) -> ColumnDomain:
    parts = dict(_items(record))
    ends = [None if (end := parts.pop(name)) is None else reader_of(scalar)(end) for name in ("lowest", "highest")]
    return ColumnDomain(*ends, **parts)


def _items(record: Any) -> ItemsView[str, Any]:
    items: ItemsView[str, Any] = require_instance(dict, record).items()
    return items


def _figure(value: Any) -> float:
    figure: float = require_instance(float, float_of(value))
    return figure
