"""Two files of models of which one is an ensemble: they are compared on rows, not as rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from treerules.cli.git_revisions import content_in
from treerules.cli.rule_file_options import opened_rules
from treerules.cli.rule_file_pairs import OpenedRules
from treerules.cli.table_options import read_file
from treerules.errors import ModelFileError, OptionError
from treerules.formats.rule_files import RuleFile
from treerules.proof.ensemble_diff import diff_ensembles, schema_of_rows
from treerules.proof.sampled_diff import SampledDiff
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.json_ensemble import FORMAT
from treerules.trees.model_files import model_from_json

Models = tuple[TreeModel, TreeModel]
#: Options that ensembles do not have, with what is true of them.
_WITHOUT = {
    "budget": "no budget: ensembles are compared on rows; --rows N says on how many",
    "schema_file": "no schema: models hold the kinds of their columns",
}


def is_ensemble(content: bytes) -> bool:
    """Return whether the content of a model file may be an ensemble: it names the format."""
    return f'"{FORMAT}"'.encode() in content


def models_of(files: tuple[OpenedRules, OpenedRules]) -> Models | None:
    """Return the models of two files; None unless both are models, and one is an ensemble.

    Raises:
        ModelFileError: A file is damaged.
    """
    are_models = all(form == "model" for _, _, form in files)
    if not are_models or not any(is_ensemble(file.content) for _, file, _ in files):
        return None
    old, new = (_model_in(file) for _, file, _ in files)
    return (old, new) if isinstance(old, Ensemble) or isinstance(new, Ensemble) else None


def models_since(base: str, path: Path, options: Mapping[str, Any]) -> Models | None:
    """Return the model that a file held in a revision of git, and the one that it holds; None as in `models_of`.

    Raises:
        FileError: The file is in no repository.
        OptionError: There is no such revision.
        ModelFileError: The file is damaged.
    """
    if path.is_dir() or not path.exists() or (content := content_in(base, path)) is None:
        return None
    file, form = opened_rules(path, options)
    return models_of(((path, RuleFile(content, f"{path} ({base})"), form), (path, file, form)))


def _model_in(file: RuleFile) -> TreeModel:
    try:
        return model_from_json(file.content)
    except ModelFileError as error:
        raise ModelFileError(f"{file.name}: {error.problem}") from error


def diff_of_models(
    models: Models, data: Path | None, options: Mapping[str, Any], *, limit: int, rows: int | None
) -> SampledDiff:
    """Return the differences of two models on boundary rows, and on the rows of a file.

    Raises:
        OptionError: An option is given that is for rules.
    """
    context = click.get_current_context()
    for name, wanted in _WITHOUT.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(each for each in context.command.params if each.name == name)
            raise OptionError(option.opts[0], context.params[name], wanted)
    table = None if data is None else read_file(data, options, schema=schema_of_rows(*models))
    return diff_ensembles(*models, table=table, limit=limit, most=rows)
