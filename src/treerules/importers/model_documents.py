"""Files of models of other libraries: read as JSON, UBJSON or text, and never executed.

The content of a file says what it is, not its name. Pickles (and what joblib writes) run code when they are loaded, so
they are refused.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from attrs import frozen

from treerules._internal.atomic_files import read_bytes
from treerules._internal.file_signatures import refuse_packed
from treerules._internal.short_repr import short_repr
from treerules.errors import (
    DataError,
    InvalidTreeError,
    MissingExtraError,
    ModelFileError,
    OptionError,
    TreeRulesError,
    UnknownNameError,
)
from treerules.importers.other_forms import refuse_other_forms
from treerules.importers.ubjson import parse_ubjson
from treerules.trees.json_codec import model_file_errors

#: Larger files are refused without reading them.
MOST_BYTES = 1 << 30
#: Names of files that are pickles, and how a pickle begins, or one that is packed by zlib, as joblib does.
_PICKLES = (".pkl", ".pickle", ".joblib")
_MARKS_OF_PICKLES = (b"\x80", b"\x78\x01", b"\x78\x9c", b"\x78\xda")
#: What follows the brace of an object of UBJSON, and of none of JSON.
_UBJSON_MARKS = b"iUIlL$#"


@short_repr
@frozen(eq=False)
class ModelDocument:
    """The content of a file of a model.

    Args:
        name: the file, or where the content comes from.
        content: a dict of a JSON or UBJSON object, or the text of another file.
    """

    name: str
    content: Any

    def has(self, *names: str) -> bool:
        """Return whether it is an object with these entries."""
        return isinstance(self.content, dict) and set(names) <= set(self.content)


def read_document(path: str | PathLike[str]) -> ModelDocument:
    """Return the content of a file.

    Raises:
        FileError: it cannot be read, is packed, or of a format without models.
        OptionError: it is a pickle.
        ModelFileError: it is neither JSON nor UBJSON nor text.
    """
    if Path(path).suffix in _PICKLES:
        raise OptionError("fitted", str(path), HOW_TO_LOAD)
    content = read_bytes(Path(path), MOST_BYTES)
    if content.startswith(_MARKS_OF_PICKLES):
        raise OptionError("fitted", str(path), HOW_TO_LOAD)
    refuse_packed(Path(path), content)
    with document_errors(str(path)):
        refuse_other_forms(content)
        return ModelDocument(str(path), parsed(content))


def parsed(content: bytes) -> Any:
    """Return the object of JSON or UBJSON in bytes, or their text.

    Raises:
        ModelFileError: they are none of these.
    """
    if content[:1] == b"{" and content[1:2] in {bytes([mark]) for mark in _UBJSON_MARKS}:
        return parse_ubjson(content)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelFileError(f"it is no text in UTF-8 (byte {error.start})") from error
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ModelFileError(f"it is not JSON ({error})") from error


@contextmanager
def document_errors(name: str) -> Iterator[None]:
    """Turn what is raised while a document is read into a ModelFileError that names it; errors of arguments pass."""
    try:
        with model_file_errors(DataError, MissingExtraError, OptionError, UnknownNameError), _plain_errors():
            yield
    except ModelFileError as error:
        remedy = _REMEDY if error.remedy == _NO_REMEDY else error.remedy
        raise ModelFileError(f"{name}: {error.problem}", remedy) from error


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Say in words what errors of Python say of a document: what no check of its parts has found."""
    try:
        yield
    except InvalidTreeError as error:
        raise ModelFileError(f"a tree of it is none: {error.problem}") from error
    except TreeRulesError:
        raise
    except KeyError as error:
        raise ModelFileError(f"it has no {error.args[0]}") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise ModelFileError(f"a part of it has a wrong type or length ({error})") from error


_NO_REMEDY = ModelFileError("").remedy  # that of our own files
_REMEDY = "save it again from the library that made it"
HOW_TO_LOAD = """a fitted model, since such files can run code when they are loaded. If you trust the file, run:
    import joblib
    from treerules.importers import import_model
    tree = import_model(joblib.load("model.joblib"))"""
