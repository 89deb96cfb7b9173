"""Files that libraries write of their models and that are no models to load: dumps for people, formats of their own."""

import re

from attrs import frozen

from treerules._internal.short_repr import short_repr
from treerules.errors import ModelFileError


@short_repr
@frozen
class OtherForm:
    """A form of file that is not read.

    Args:
        pattern: how its bytes begin, a regular expression.
        problem: what it is.
        remedy: how to write the model as it is read.
    """

    pattern: bytes
    problem: str
    remedy: str


#: The forms that are told apart by their first bytes.
OTHER_FORMS = (
    OtherForm(
        rb'\s*(booster\[\d+\]:|\[\s*\{\s*"nodeid")',
        "it is a dump of XGBoost, which rounds its numbers",
        "write it with save_model('model.json')",
    ),
    OtherForm(rb"binf", "it is of the binary format of XGBoost 1", "load it with XGBoost 2 and save it as model.json"),
    OtherForm(
        rb'\s*\{\s*"name":\s*"tree",\s*"version":',
        "it is a dump of LightGBM, which changes its thresholds",
        "write it with save_model('model.txt')",
    ),
    OtherForm(
        rb"CBM1",
        "it is of the binary format of CatBoost",
        "write it with save_model('model.json', format='json', pool=...), the data that it was fitted on",
    ),
)


def refuse_other_forms(content: bytes) -> None:
    """Raise ModelFileError where the content of a file is of a form that is not read.

    >>> refuse_other_forms(b"CBM1...")
    Traceback (most recent call last):
    treerules.errors.ModelFileError: ...it is of the binary format of CatBoost; write it with save_model(...
    """
    for form in OTHER_FORMS:
        if re.match(form.pattern, content):
            raise ModelFileError(form.problem, form.remedy)
