"""Model files: trees are written atomically, and validated when they are read (see `json_codec`)."""

from pathlib import Path

from treerules._internal.arguments import require_path, require_type
from treerules._internal.atomic_files import read_bytes, write_texts
from treerules._internal.file_signatures import refuse_packed
from treerules.errors import ModelFileError
from treerules.trees.json_codec import tree_from_json, tree_to_json
from treerules.trees.tree import Tree

#: Larger files are refused without reading them.
MOST_BYTES = 1 << 30


def save(tree: Tree, path: str | Path) -> None:
    """Write a tree to a model file. An existing file is replaced only after the new one was written completely.

    Args:
        tree: the Tree to write.
        path: the path of the file; its name usually ends in .tree.json.

    Raises:
        OptionError: `tree` is not a Tree, or `path` is not a path.
        FileError: the file cannot be written.
    """
    require_type("tree", tree, Tree, "a Tree")
    require_path(path)
    write_texts({Path(path): tree_to_json(tree)})


def load(path: str | Path) -> Tree:
    """Return the tree of a model file. All values are validated, and no code is executed.

    Args:
        path: the path of a file that `save` wrote.

    Returns:
        A Tree, equal to the one that was saved.

    Raises:
        OptionError: `path` is not a path.
        FileError: the file cannot be read, or is packed.
        ModelFileError: the file is not a model file, or is damaged.
    """
    require_path(path)
    content = read_bytes(path, MOST_BYTES)
    refuse_packed(Path(path), content)
    try:
        return tree_from_json(content)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error.problem}") from error
