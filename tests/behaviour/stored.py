"""The stored inputs: drawn once by `draw.py`, kept compressed, read here."""

import base64
import gzip
import json
import math
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from behaviour.calls import ColumnDomain, Feature, Schema, Table, tree_from_json

INPUTS = Path(__file__).parent / "inputs"


def to_plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    if isinstance(value, datetime):
        return {"datetime": value.isoformat()}
    if isinstance(value, date):
        return {"date": value.isoformat()}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def from_plain(value: Any) -> Any:
    """Return the value that was stored: plain ones, dates, schemas, domains, and lists and mappings of them."""
    if isinstance(value, list):
        return [from_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    return next((read(value) for key, read in _READ.items() if key in value), value)


def _feature(content: dict[str, Any]) -> Feature:
    return Feature(
        content["name"], content["kind"], from_plain(content["categories"]), content["scalar"], content["form"]
    )


def _schema(content: dict[str, Any]) -> Schema:
    return Schema([_feature(each) for each in content["schema"]], content["target"] and _feature(content["target"]))


def _domain(content: dict[str, Any]) -> ColumnDomain:
    lowest, highest = from_plain(content["lowest"]), from_plain(content["highest"])
    return ColumnDomain(lowest, highest, missing=content["missing"], unseen=content["unseen"])


_READ: dict[str, Any] = {
    "datetime": lambda content: datetime.fromisoformat(content["datetime"]),
    "date": lambda content: date.fromisoformat(content["date"]),
    "float": lambda content: float(content["float"]),
    "bytes": lambda content: base64.b85decode(content["bytes"]),
    "list": lambda content: from_plain(content["list"]),
    "map": lambda content: {key: from_plain(each) for key, each in content["map"].items()},
    "schema": _schema,
    "kind": _feature,
    "unseen": _domain,
    "path": lambda content: Path(content["path"]).name,
}


def keep(name: str, content: Any) -> None:
    """Store a value as compressed JSON; the same value gives the same bytes."""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    (INPUTS / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@cache
def content_of(name: str) -> Any:
    """Return what is stored under a name."""
    return json.loads(gzip.decompress((INPUTS / name).read_bytes()))


@cache
def tables() -> dict[str, Table]:
    """Return the tables to learn from, by name."""
    found = {}
    for name, content in content_of("tables.json.gz").items():
        columns = {column: from_plain(cells) for column, cells in content["columns"].items()}
        found[name] = Table.from_columns(columns, types=content["types"])
    return found


def model_text(name: str) -> str:
    """Return the text of a model file."""
    return gzip.decompress((INPUTS / "models" / f"{name}.tree.json.gz").read_bytes()).decode()


@cache
def models() -> dict[str, Any]:
    """Return the models, by name."""
    names = sorted(path.name.removesuffix(".tree.json.gz") for path in (INPUTS / "models").glob("*.gz"))
    return {name: tree_from_json(model_text(name)) for name in names}


@cache
def rows_of(name: str) -> list[dict[str, Any]]:
    """Return the rows that are drawn for a model."""
    return [
        {key: from_plain(value) for key, value in zip(row["names"], row["values"], strict=True)}
        for row in content_of("rows.json.gz")[name]
    ]


def rules_texts() -> dict[str, str]:
    """Return rules that were written by hand or by slips of a hand, as text, by name."""
    return dict(content_of("rules.json.gz"))


@cache
def files() -> dict[str, bytes]:
    """Return the files that readers and commands were given, by the key of their content."""
    return {key: base64.b85decode(text) for key, text in content_of("files.json.gz").items()}
