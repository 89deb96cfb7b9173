"""Model files: written atomically, and validated when they are read (see `json_codec` and `json_ensemble`)."""

from pathlib import Path
from typing import Any

from treerules._internal.arguments import require_path, require_type
from treerules._internal.atomic_files import read_bytes, write_texts
from treerules._internal.file_signatures import refuse_packed
from treerules._internal.paused_gc import paused_gc
from treerules.errors import ModelFileError
from treerules.trees import json_ensemble
from treerules.trees.ensemble import Ensemble, TreeModel
from treerules.trees.json_codec import FORMAT, model_file_errors, parse_content, tree_of_content, tree_to_json
from treerules.trees.json_ensemble import ensemble_of_content, ensemble_to_json

#: Larger files are refused without reading them.
MOST_BYTES = 1 << 30


def save(tree: TreeModel, path: str | Path) -> None:
    """Write a tree or an ensemble to a model file. An existing file is replaced only after the new one is complete.

    Args:
        tree: the Tree or the Ensemble to write.
        path: the path of the file; its name usually ends in .tree.json or .ensemble.json.

    Raises:
        OptionError: `tree` is no Tree or Ensemble, or `path` is not a path.
        FileError: the file cannot be written.
    """
    require_type("tree", tree, TreeModel, "a Tree or an Ensemble")
    require_path(path)
    write_texts({Path(path): ensemble_to_json(tree) if isinstance(tree, Ensemble) else tree_to_json(tree)})


def load(path: str | Path) -> Any:
    """Return the tree, or the ensemble, of a model file. All values are validated, and no code is executed.

    Args:
        path: the path of a file that `save` wrote.

    Returns:
        A Tree or an Ensemble, equal to the one that was saved.

    Raises:
        OptionError: `path` is not a path.
        FileError: the file cannot be read, or is packed.
        ModelFileError: the file is not a model file, or is damaged.
    """
    require_path(path)
    content = read_bytes(path, MOST_BYTES)
    refuse_packed(Path(path), content)
    try:
        return model_from_json(content)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error.problem}") from error


@paused_gc()
def model_from_json(text: bytes) -> TreeModel:
    """Return the tree or the ensemble in the text of a model file.

    Raises:
        ModelFileError: the text is no model file, was damaged, or does not describe a valid model.
    """
    with model_file_errors():
        content = parse_content(text)
        format = content.pop("format", None)
        if format == json_ensemble.FORMAT:
            return ensemble_of_content(content)
        if format == FORMAT:
            return tree_of_content(content, text)
        raise ModelFileError("it does not say that it is a tree or an ensemble of treerules")
