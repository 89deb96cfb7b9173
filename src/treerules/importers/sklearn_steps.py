"""The steps of a fitted pipeline of scikit-learn, and the input column that each column after them is made of.

A step is read for its structure alone: which of its outputs comes from which of its inputs. What it makes of a value
is asked of the step itself (see `sklearn_inputs`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.conversion import unwrap_scalar
from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError
from treerules.importers.sklearn_models import found_estimator, is_of_sklearn, require_fitted


@short_repr
@frozen
class Source:
    """Where a column comes from: one input column, and how the steps on the way see its values.

    Args:
        column: the position of the input column.
        categories: the values that an encoder knows, without the missing one; None where no encoder was met.
        replaced: values that an imputer takes as missing, other than None and NaN.
        missing: the missing value as the steps know it, None or NaN.
        is_filled: whether an imputer has filled NaN.
        is_indicator: whether the column says only whether the value is missing.
        is_dropped: whether a step makes no column of it.
    """

    column: int
    categories: tuple[Any, ...] | None = None
    replaced: tuple[Any, ...] = field(default=(), converter=as_tuple)
    missing: Any = float("nan")
    is_filled: bool = False
    is_indicator: bool = False
    is_dropped: bool = False


def split_pipeline(fitted: Any) -> tuple[list[Any], Any]:
    """Return the transformers before the model, and the model: the last step of pipelines, the best of searches."""
    model, steps = found_estimator(fitted), list[Any]()
    while is_of_sklearn(model, "Pipeline"):
        *before, last = (step for _, step in model.steps)
        steps += [step for step in before if not _is_passed(step)]
        model = found_estimator(last)
    return steps, model


def sources_after(steps: Sequence[Any], n_columns: int) -> list[Source]:
    """Return the source of each column after some steps, then those of which a step makes no column.

    Args:
        steps: the fitted transformers.
        n_columns: the number of input columns.

    Raises:
        OptionError: a step is of a class, or has an option, that cannot be followed.
        DataError: a step is not fitted.
    """
    return _after_each(steps, [Source(position) for position in range(n_columns)])


def _after_each(steps: Iterable[Any], sources: list[Source]) -> list[Source]:
    dropped: list[Source] = []
    for step in steps:
        after = list(_after(step, sources))
        sources = [source for source in after if not source.is_dropped]
        dropped += [source for source in after if source.is_dropped]
    return sources + dropped


def _is_passed(step: Any) -> bool:
    """Return whether a step leaves the columns as they are."""
    if is_of_sklearn(step, "FunctionTransformer"):
        return step.func is None or _is_validation(step.func)
    return step is None or (isinstance(step, str) and step == "passthrough")


def _is_validation(func: Any) -> bool:
    """Return whether a function is scikit-learn's own check of an array, as HistGradientBoosting* applies it."""
    inner = getattr(func, "func", None)
    return getattr(inner, "__name__", "") == "check_array" and inner.__module__.startswith("sklearn.utils.")


def _after(step: Any, sources: list[Source]) -> Iterator[Source]:
    if _is_passed(step):
        return iter(sources)
    for name, follow in _STEPS.items():
        if is_of_sklearn(step, name):
            return follow(step, sources)
    name = getattr(getattr(step, "func", None), "__name__", "it")  # of a FunctionTransformer
    default = f"apply {name} to the columns of the table before, and fit without this step"
    raise _unsupported_step(step, _REMEDIES.get(type(step).__name__, default))


def _after_pipeline(step: Any, sources: list[Source]) -> Iterator[Source]:
    return iter(_after_each([inner for _, inner in step.steps], sources))


def _after_columns(step: Any, sources: list[Source]) -> Iterator[Source]:
    """Yield the sources of a ColumnTransformer: those of its transformers, one after the other."""
    require_fitted(step, "transformers_")
    for name, transformer, _ in step.transformers_:
        positions = step._transformer_to_input_indices[name]
        if isinstance(transformer, str) and transformer == "drop":
            continue
        if len(positions):
            yield from _after(transformer, [sources[position] for position in positions])


def _after_imputer(step: Any, sources: list[Source]) -> Iterator[Source]:
    """Yield the sources that a SimpleImputer fills, then those of its indicators."""
    statistics, value = require_fitted(step, "statistics_"), step.missing_values
    if unwrap_scalar(value) is None:
        changed: dict[str, Any] = {"missing": None} if value is None else {"is_filled": True}
        seen = [evolve(source, **changed) for source in sources]
    else:
        seen = [evolve(source, replaced=(*source.replaced, value)) for source in sources]
    may_drop = step.strategy != "constant" and not step.keep_empty_features
    for source, statistic in zip(seen, statistics, strict=True):  # a column without any value is left out
        is_empty = statistic is not None and unwrap_scalar(statistic) is None  # None may be the most frequent value
        yield evolve(source, is_dropped=is_empty and may_drop)
    if step.add_indicator:
        yield from (evolve(seen[position], is_indicator=True) for position in step.indicator_.features_)


def _after_one_hot(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "categories_")
    for source, categories, n_outputs in zip(sources, step.categories_, step._n_features_outs, strict=True):
        encoded = _encoded(step, source, categories.tolist())
        yield from [encoded] * n_outputs if n_outputs else [evolve(encoded, is_dropped=True)]


def _after_ordinal(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "categories_")
    for source, categories in zip(sources, step.categories_, strict=True):
        yield _encoded(step, source, categories.tolist())


def _encoded(step: Any, source: Source, values: list[Any]) -> Source:
    """Return the source of a column that an encoder makes of one whose categories are `values`."""
    if source.categories is not None or source.is_indicator:
        return source  # the values are those of the input column; the step is asked what it makes of them
    holes = [value for value in values if unwrap_scalar(value) is None]
    if len(holes) > 1:
        raise _unsupported_step(step, "it tells None from NaN, which are one missing value here; fit with one of them")
    if source.is_filled and holes and holes[0] is not None:
        reason = "it knows NaN, which an imputer filled before it: pandas made NaN of None between them; fit without"
        raise _unsupported_step(step, f"{reason} set_output, or with NaN where text is missing")
    known = tuple(value for value in values if unwrap_scalar(value) is not None)
    missing = None if holes and holes[0] is None else source.missing
    return evolve(source, categories=known, missing=missing)


def _unchanged(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "n_features_in_")
    return iter(sources)


#: How the columns pass a step, by its class. Scalers keep the order of numbers.
_STEPS: Mapping[str, Callable[[Any, list[Source]], Iterator[Source]]] = {
    "Pipeline": _after_pipeline,
    "ColumnTransformer": _after_columns,
    "SimpleImputer": _after_imputer,
    "OneHotEncoder": _after_one_hot,
    "OrdinalEncoder": _after_ordinal,
    "StandardScaler": _unchanged,
    "MinMaxScaler": _unchanged,
    "MaxAbsScaler": _unchanged,
    "RobustScaler": _unchanged,
}
#: What to do about steps that people often have.
_REMEDIES = {
    "PCA": "each of its columns mixes several; fit without it",
    "PolynomialFeatures": "its columns mix several; add the products to the table before, and fit without it",
    "FeatureUnion": "use a ColumnTransformer instead",
    "TargetEncoder": "use an OrdinalEncoder or OneHotEncoder instead",
    "KBinsDiscretizer": "fit without it, since trees find thresholds themselves",
}


def _unsupported_step(step: Any, reason: str) -> OptionError:
    known = ", ".join(name for name in _STEPS if name != "Pipeline")
    wanted = f"a pipeline whose steps are {known} or 'passthrough'; {reason}"
    return OptionError("fitted", f"a pipeline with the step {type(step).__name__}", wanted)
