"""The columns before a boosted model of another library: its own, or those that come into steps of scikit-learn."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from treerules.errors import OptionError, listed
from treerules.importers.importer import ImportOptions
from treerules.importers.inputs import Inputs
from treerules.importers.named_values import names_of_features, own_inputs
from treerules.importers.sklearn_inputs import pipeline_inputs
from treerules.importers.sklearn_outputs import Unstored


def boosted_inputs(
    steps: Sequence[Any],
    names: Sequence[str],
    highest_codes: Mapping[int, int],
    known: Mapping[int, Sequence[Any]],
    options: ImportOptions,
    *,
    unstored: Unstored = "zero",
    of_frame: Collection[int] = (),
) -> Inputs:
    """Return the columns before a model.

    Args:
        steps: the fitted transformers of scikit-learn before it.
        names: the names of the columns of the model.
        highest_codes: the positions of its columns of categories, with the greatest code that it names; -1 for none.
        known: the category of each code, for the columns of which the model knows it.
        options: with the names of the caller's columns and the categories that the caller gives.
        unstored: what the model takes a cell for that a sparse table does not store.
        of_frame: the positions of columns whose categories, and not their codes, the model may read behind steps.

    Raises:
        OptionError: the names or categories do not fit, a step cannot be followed, or columns of categories pass the
            steps.
        UnknownNameError: the caller gives the categories of a column that there is not.
        DataError: a step is not fitted.
    """
    if not steps:
        return own_inputs(names_of_features(options, names), highest_codes, known, options)
    if options.categories is not None:
        raise OptionError("categories", options.categories, "it left out, since the steps before the model know them")
    inputs = pipeline_inputs(steps, len(names), options, unstored)
    if passed := [names[column] for column in of_frame if inputs.sources[column].categories is None]:
        raise categories_behind_steps(passed)
    return inputs


def categories_behind_steps(names: Sequence[str]) -> OptionError:
    """Return the error for columns that a model behind steps reads as categories."""
    problem = f"a pipeline whose model reads the categories of {listed(names)}"
    wanted = "a pipeline that encodes them before, by an OneHotEncoder or an OrdinalEncoder, and whose model reads"
    return OptionError("fitted", problem, f"{wanted} numbers")
