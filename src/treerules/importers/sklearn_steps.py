"""The steps of a fitted pipeline of scikit-learn, and the input column that each column after them is made of.

A step is read for its structure alone: which of its outputs comes from which of its inputs. What it makes of a value
is asked of the step itself (see `sklearn_inputs`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, field, frozen

from treerules._internal.field_converters import as_tuple
from treerules._internal.short_repr import short_repr
from treerules.errors import OptionError
from treerules.importers.inputs import is_missing
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
        is_indicator: whether the column says only whether the value is missing.
    """

    column: int
    categories: tuple[Any, ...] | None = None
    replaced: tuple[Any, ...] = field(default=(), converter=as_tuple)
    missing: Any = float("nan")
    is_indicator: bool = False


def split_pipeline(fitted: Any) -> tuple[list[Any], Any]:
    """Return the transformers before the model, and the model: the last step of pipelines, the best of searches."""
    model, steps = found_estimator(fitted), list[Any]()
    while is_of_sklearn(model, "Pipeline"):
        *before, last = (step for _, step in model.steps)
        steps += [step for step in before if not _is_passed(step)]
        model = found_estimator(last)
    return steps, model


def sources_after(steps: Sequence[Any], n_columns: int) -> list[Source]:
    """Return the source of each column after some steps, given the number of input columns.

    Raises:
        OptionError: a step is of a class, or has an option, that cannot be followed.
        DataError: a step is not fitted.
    """
    sources = [Source(position) for position in range(n_columns)]
    for step in steps:
        sources = list(_after(step, sources))
    return sources


def _is_passed(step: Any) -> bool:
    """Return whether a step leaves the columns as they are."""
    return step is None or step == "passthrough" or (is_of_sklearn(step, "FunctionTransformer") and step.func is None)


def _after(step: Any, sources: list[Source]) -> Iterator[Source]:
    if _is_passed(step):
        return iter(sources)
    for name, follow in _STEPS.items():
        if is_of_sklearn(step, name):
            return follow(step, sources)
    raise _unsupported_step(
        step, _REMEDIES.get(type(step).__name__, "apply it to the table before, and fit without it")
    )


def _after_pipeline(step: Any, sources: list[Source]) -> Iterator[Source]:
    for _, inner in step.steps:
        sources = list(_after(inner, sources))
    return iter(sources)


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
    if is_missing(value):
        seen = [evolve(source, missing=None if value is None else source.missing) for source in sources]
    else:
        seen = [evolve(source, replaced=(*source.replaced, value)) for source in sources]
    for source, statistic in zip(seen, statistics, strict=True):
        if step.keep_empty_features or not is_missing(statistic):  # else the column had no value, and is left out
            yield source
    if step.add_indicator:
        yield from (evolve(seen[position], is_indicator=True) for position in step.indicator_.features_)


def _after_one_hot(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "categories_")
    for source, categories, n_outputs in zip(sources, step.categories_, step._n_features_outs, strict=True):
        yield from [_encoded(step, source, categories.tolist())] * n_outputs


def _after_ordinal(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "categories_")
    for source, categories in zip(sources, step.categories_, strict=True):
        yield _encoded(step, source, categories.tolist())


def _encoded(step: Any, source: Source, values: list[Any]) -> Source:
    """Return the source of a column that an encoder makes of one whose categories are `values`."""
    if source.categories is not None:
        raise _unsupported_step(step, "it encodes what another encoder made; encode each column once")
    holes = [value for value in values if is_missing(value)]
    if len(holes) > 1:
        raise _unsupported_step(step, "it tells None from NaN, which are one missing value here; fit with one of them")
    known = tuple(value for value in values if not is_missing(value))
    missing = None if holes and holes[0] is None else source.missing
    return evolve(source, categories=known, missing=missing)


def _unchanged(step: Any, sources: list[Source]) -> Iterator[Source]:
    require_fitted(step, "n_features_in_")
    return iter(sources)


def _after_function(step: Any, sources: list[Source]) -> Iterator[Source]:
    """Return the sources unchanged where a HistGradientBoosting checks its numbers; any other function is unknown."""
    if getattr(getattr(step.func, "func", None), "__name__", "") == "check_array":
        return iter(sources)
    name = getattr(step.func, "__name__", repr(step.func))
    raise _unsupported_step(step, f"apply {name} to the columns of the table before, and fit without it")


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
    "FunctionTransformer": _after_function,
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
    known = ", ".join(name for name in _STEPS if name not in ("Pipeline", "FunctionTransformer"))
    wanted = f"a pipeline whose steps are {known} or 'passthrough'; {reason}"
    return OptionError("fitted", f"a pipeline with the step {type(step).__name__}", wanted)
