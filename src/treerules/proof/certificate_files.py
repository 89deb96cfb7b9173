"""Certificates as JSON files: written atomically, validated when they are read.

    {"format": "treerules.certificate", "version": 1, "claim": the sentence that is proved,
     "rows": number, "hashes": {"rows", "target", "weights": hash or null, "features": [[name, hash]]},
     "schema": as in a model file, "recipe": as in a model file, "weight": column, null or "",
     "scale", "leaf_price", "cost", "lower": whole numbers, costs times the scale,
     "columns": [[feature, category or null, place of missing values]],
     "proof": null or {"shallow", "proof_of_shallow", "cuts": [[column, cut, below, above, ...]]}}

A cut has up to ten items, as the fields of `ProvedCut`; those at the end are left out where they are 0 or null.
"""

import json
from pathlib import Path
from typing import Any

from attrs import astuple

from treerules._internal.arguments import require_path, require_type
from treerules._internal.atomic_files import read_bytes, write_texts
from treerules.errors import ModelFileError
from treerules.proof.certificate import MISSING_PLACES, BoundProof, Certificate, ProofColumn, ProvedCut, RowHashes
from treerules.rendering.headings import TranslatedText, translated_text
from treerules.trees.cost_bounds import cost_text
from treerules.trees.json_codec import model_file_errors, parse_content, read_schema, schema_record
from treerules.trees.json_provenance import recipe_from_json, recipe_to_json
from treerules.trees.json_values import float_of, json_text, reader_of, require_instance, value_to_json

FORMAT, VERSION = "treerules.certificate", 1
#: Larger files are refused without reading them.
_MOST_BYTES = 1 << 28
#: The greatest depth of proofs within proofs.
_MOST_NESTED = 12
_PARTS = {
    *("version", "claim", "rows", "hashes", "schema", "recipe", "weight", "scale", "leaf_price", "cost", "lower"),
    *("columns", "proof"),
}


def save_certificate(certificate: Certificate, path: str | Path) -> None:
    """Write a certificate to a file. An existing file is replaced only after the new one is complete.

    Args:
        certificate: the Certificate to write.
        path: the path of the file; its name usually ends in .certificate.json.

    Raises:
        OptionError: `certificate` is no Certificate, or `path` is not a path.
        FileError: the file cannot be written.
    """
    require_type("certificate", certificate, Certificate, "a Certificate, from prove_optimal or load_certificate")
    require_path(path)
    write_texts({Path(path): certificate_to_json(certificate)})


def load_certificate(path: str | Path) -> Certificate:
    """Return the certificate in a file. All values are validated; whether it proves its claim, `certify` decides.

    Args:
        path: the path of a file that `save_certificate` wrote.

    Returns:
        A Certificate, equal to the one that was saved.

    Raises:
        OptionError: `path` is not a path.
        FileError: the file cannot be read.
        ModelFileError: the file is no certificate, or is damaged.
    """
    require_path(path)
    try:
        return certificate_from_json(read_bytes(path, _MOST_BYTES))
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error.problem}") from error


def certificate_to_json(certificate: Certificate) -> str:
    """Return a certificate as the text of a file; the same certificate gives the same text."""
    schema = certificate.schema
    content = {
        "format": FORMAT,
        "version": VERSION,
        "claim": claim_text(certificate),
        "rows": certificate.n_rows,
        "hashes": {
            "rows": certificate.hashes.rows,
            "target": certificate.hashes.target,
            "weights": certificate.hashes.weights,
            "features": [list(pair) for pair in certificate.hashes.features],
        },
        "schema": schema_record(schema),
        "recipe": recipe_to_json(certificate.recipe),
        "weight": certificate.weight,
        "scale": certificate.scale,
        "leaf_price": certificate.penalty,
        "cost": certificate.cost,
        "lower": certificate.lower,
        "columns": [[column.feature, value_to_json(column.category), column.missing] for column in certificate.columns],
        "proof": _proof_to_json(certificate.proof),
    }
    lines = [f"{json.dumps(key)}: {json_text(value)}" for key, value in content.items()]
    return "{" + ",\n".join(lines) + "}\n"


def claim_text(certificate: Certificate) -> TranslatedText:
    """Return what a certificate claims, as a sentence.

    >>> from treerules import Table, learn, optimal
    >>> from treerules.proof import prove_optimal
    >>> table = Table.from_columns({"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]})
    >>> claim_text(prove_optimal(learn(table, target="y", recipe=optimal(max_depth=1, leaf_penalty=0)), table))
    'no tree of depth 1 or less has fewer than 1 errors on these 4 rows'
    """
    recipe, scale = certificate.recipe, certificate.scale
    tree = "tree of depth {depth} or less"
    if recipe.min_samples_leaf > 1:
        tree = "tree of depth {depth} or less, of leaves of at least {least} rows,"
    is_errors = not (recipe.class_weight or recipe.priors or recipe.costs) and certificate.weight is None
    text = "no {tree} costs less than {cost}, with {penalty} for each leaf, on these {n} rows"
    if not certificate.penalty:
        text = "no {tree} costs less than {cost} on these {n} rows"
    if is_errors and not certificate.penalty:
        text = "no {tree} has fewer than {cost} errors on these {n} rows"
    return translated_text(
        text,
        tree=translated_text(tree, depth=certificate.max_depth, least=f"{recipe.min_samples_leaf:.12g}"),
        cost=cost_text(certificate.lower / scale),
        penalty=f"{certificate.penalty / scale:.12g}",
        n=certificate.n_rows,
    )


def _proof_to_json(proof: BoundProof | None) -> Any:
    if proof is None:
        return None
    return {
        "shallow": proof.shallow,
        "proof_of_shallow": _proof_to_json(proof.proof_of_shallow),
        "cuts": [_cut_to_json(cut) for cut in proof.cuts],
    }


def _cut_to_json(cut: ProvedCut) -> list[Any]:
    items = [_proof_to_json(value) if isinstance(value, BoundProof) else value for value in astuple(cut, recurse=False)]
    while items and not items[-1] and len(items) > 4:
        items.pop()
    return items


def certificate_from_json(text: str | bytes) -> Certificate:
    """Return the certificate in the text of a file.

    Raises:
        ModelFileError: the text is no certificate, or is damaged.
    """
    with model_file_errors():
        content = parse_content(text)
        if content.pop("format", None) != FORMAT:
            raise ModelFileError("it does not say that it is a certificate of treerules")
        if content.get("version") != VERSION:
            raise ModelFileError(f"it is a certificate of version {content.get('version')!r:.20}, not {VERSION}")
        if set(content) != _PARTS:
            raise ModelFileError(f"it has the parts {', '.join(sorted(content)):.200}")
        certificate = _certificate(content)
        if content["claim"] != claim_text(certificate):
            raise ModelFileError(f"its claim is not what its figures say: {claim_text(certificate)}")
        return certificate


def _certificate(content: dict[str, Any]) -> Certificate:
    schema = read_schema(content["schema"])
    recipe = recipe_from_json(content["recipe"], schema)
    if recipe is None or schema.target is None or schema.is_regression:
        raise ModelFileError("it has no recipe, or no classes")
    hashes = require_instance(dict, content["hashes"])
    weights, weight = hashes["weights"], content["weight"]
    columns = [_column(record, schema) for record in require_instance(list, content["columns"])]
    return Certificate(
        schema,
        recipe,
        None if weight is None else require_instance(str, weight),
        _whole(content["rows"]),
        RowHashes(
            require_instance(str, hashes["rows"]),
            require_instance(str, hashes["target"]),
            None if weights is None else require_instance(str, weights),
            [
                (require_instance(str, name), require_instance(str, value))
                for name, value in require_instance(list, hashes["features"])
            ],
        ),
        _scale(content["scale"]),
        _whole(content["leaf_price"]),
        _whole(content["cost"]),
        _whole(content["lower"]),
        columns,
        _proof(content["proof"], len(columns)),
    )


def _column(record: Any, schema: Any) -> ProofColumn:
    name, category, place = require_instance(list, record)
    number = schema.indices.get(require_instance(str, name))
    if number is None or place not in MISSING_PLACES:
        raise ModelFileError(f"it has the column {record!r:.60}")
    feature = schema.features[number]
    return ProofColumn(name, None if category is None else reader_of(feature.scalar)(category), place)


def _proof(record: Any, n_columns: int, nested: int = 0) -> BoundProof | None:
    if record is None:
        return None
    if nested > _MOST_NESTED or set(require_instance(dict, record)) != {"shallow", "proof_of_shallow", "cuts"}:
        raise ModelFileError("it has a proof of other parts")
    cuts = [_cut(items, n_columns, nested) for items in require_instance(list, record["cuts"])]
    return BoundProof(_whole(record["shallow"]), cuts, _proof(record["proof_of_shallow"], n_columns, nested + 1))


def _cut(items: Any, n_columns: int, nested: int) -> ProvedCut:
    if not 4 <= len(require_instance(list, items)) <= 10:
        raise ModelFileError(f"it has the cut {items!r:.60}")
    column, cut, below, above, *rest = items
    rest += [None] * (6 - len(rest))
    if not _whole(column) < n_columns:
        raise ModelFileError(f"a cut names the column {column}")
    proofs = [_proof(value, n_columns, nested + 1) for value in (*rest[:2], *rest[4:])]
    own_below, own_above = (0 if value is None else _whole(value) for value in rest[2:4])
    bounds = _whole(below), _whole(above)
    return ProvedCut(column, _whole(cut), *bounds, proofs[0], proofs[1], own_below, own_above, proofs[2], proofs[3])


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise ModelFileError(f"it has {value!r:.30} where a whole number is needed")
    return value


def _scale(value: Any) -> float:
    scale = float_of(value)
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not 0 < scale < float("inf"):
        raise ModelFileError(f"it has the scale {value!r:.30}")
    return scale
