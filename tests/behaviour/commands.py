"""Every command: exit code, stdout, stderr and the files that are written, mostly in this process."""

import io
import os
import subprocess
import sys
from base64 import b85decode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from behaviour.calls import DIALECTS, DRAWINGS, TextTable, fitting, main, read_parquet, told
from behaviour.reading import without_engine, working_in
from behaviour.stored import content_of, files, model_text

LOAN = """年龄,有工作,有自己的房子,信贷情况,类别
青年,否,否,一般,否
青年,否,否,好,否
青年,是,否,好,是
青年,是,是,一般,是
青年,否,否,一般,否
中年,否,否,一般,否
中年,否,否,好,否
中年,是,是,好,是
中年,否,是,非常好,是
中年,否,是,非常好,是
老年,否,是,非常好,是
老年,否,是,好,是
老年,是,否,好,是
老年,是,否,非常好,是
老年,否,否,一般,否
"""
NUMBERS = "x,n,y,z,w,f\n" + "".join(
    f"{(place * 37 % 101) / 4},{place % 9},{'ab'[(place * 37 % 101 > 50) ^ (place % 7 == 0)]},"
    f"{(place * 13 % 31) / 2},{1 + place % 3},f{place % 4}\n"
    for place in range(60)
)
ORDERED = "ordered\nIF x > 3 THEN y = a\nIF x > 1 THEN y = b\nIF x > 2 THEN y = c\nOTHERWISE y = d\n"
GAPS = "1: IF x <= 3 AND c = p THEN y = a\n2: IF x > 3 THEN y = b\n3: IF x > 2 AND c = q THEN y = a\n"
CASES = (
    "SELECT CASE WHEN x > 3 THEN 'a' WHEN x > 1 AND c IN ('p', 'q') THEN 'b' WHEN x > 4 THEN 'never' ELSE 'd' END"
    " AS band,\n"
    " CASE WHEN x IS NULL THEN 1 WHEN x <= 5 THEN 2 ELSE 3 END AS size FROM t\n"
)


class Terminal(io.TextIOWrapper):
    """Standard output that takes itself for a terminal."""

    def isatty(self) -> bool:
        """Say yes."""
        return True


def run(arguments: Sequence[str], stdin: bytes = b"", *, terminal: bool = False) -> str:
    """Return the exit code of a command, what it prints, and the files that it writes, in this folder."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    wrapper = Terminal if terminal else io.TextIOWrapper
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    ours = sys.stdout, sys.stderr = wrapper(out, encoding="utf-8"), io.TextIOWrapper(err, encoding="utf-8")
    try:
        code: Any = main(list(arguments))
    finally:
        for stream in ours:  # which would close what it writes to
            stream.flush()
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = streams
    said = without_engine(err.getvalue().decode("utf-8", "backslashreplace"))
    shown = out.getvalue().decode("utf-8", "backslashreplace")
    found = f"exit code {code}\n--- stdout\n{shown}\n--- stderr\n{said}\n{_written(before)}"
    return found.replace(str(Path.cwd()), "FOLDER")


def _written(before: dict[Path, bytes]) -> str:
    """Return the files that are new or changed."""
    texts = []
    for path in sorted(Path().rglob("*")):
        if path.is_file() and before.get(path) != path.read_bytes() and "__pycache__" not in path.parts:
            is_table = path.suffix == ".parquet"
            text = told(read_parquet(path)) if is_table else path.read_text("utf-8", "backslashreplace")
            texts.append(f"--- {path.as_posix()}\n{text}")
    return "\n".join(texts)


def named(arguments: Sequence[str], seen: dict[str, int]) -> str:
    """Return what a command is called, with a number where it was called before."""
    name = " ".join(arguments).replace("\n", " ")[:120].strip() or "nothing"
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name} ({seen[name]})"


def recorded() -> Iterator[tuple[str, str]]:
    """Yield every command."""
    seen: dict[str, int] = {}
    for call in content_of("commands.json.gz"):
        content = {name: files()[key] for name, key in call["files"].items()}
        with working_in(content):
            stdin = b85decode(call["stdin"]) if call["stdin"] else b""
            yield named(call["args"], seen), run(call["args"], stdin)
    with working_in(_files()):
        for arguments in _commands():
            yield named(arguments, seen), run(arguments)
        for arguments in _shown():
            yield named([*arguments, "on a terminal"], seen), run(arguments, terminal=True)
        stdin = b"1: IF x <= 3 THEN y = a\n2: IF (x > 3 or missing) THEN y = b\n"
        for arguments in (
            ["check", "-", "--as", "rules"],
            ["emit", "table", "-", "--as", "rules"],
            ["check", "-"],
            ["check", "-", "--as", "sql"],
        ):
            yield named([*arguments, "from stdin"], seen), run(arguments, stdin)
    yield from _processes()
    yield from _fitted()


def _files() -> dict[str, bytes]:
    texts = {
        "loan.csv": LOAN,
        "numbers.csv": NUMBERS,
        "ordered.rules": ORDERED,
        "gaps.rules": GAPS,
        "cases.sql": CASES,
        "kinds.tree.json": model_text("kinds"),
        "cart.tree.json": model_text("learned_cart"),
        "id3.tree.json": model_text("learned_id3"),
        "regression.tree.json": model_text("learned_regression"),
        "leaf.tree.json": model_text("leaf"),
        "boolean.tree.json": model_text("kinds_boolean"),
        "integer.tree.json": model_text("kinds_integer"),
        "date.tree.json": model_text("kinds_date"),
        "bushy.tree.json": model_text("bushy"),
        "chain.tree.json": model_text("chain"),
        "names.json": '{"x": "renamed"}',
        "names.bad.json": "[1]",
        "names.odd.json": "{",
        "recipe.toml": 'algorithm = "c45"\nmax_depth = 3\n',
        "schema.json": (
            '{"columns": {"x": {"kind": "integer", "lowest": 0, "highest": 9, "missing": false}, "c": '
            '{"kind": "category", "categories": ["p", "q"], "unseen": false}}, "target": "band"}'
        ),
        "rows.jsonl": '{"x": 1, "y": "a"}\n{"x": 2, "y": "b"}\n{"x": 3, "y": "b"}\n{"x": 3, "y": "a"}\n',
        "bad.csv": "a,b\n1,2\n3\n",
        "broken.tree.json": model_text("kinds")[:-40],
        "one.csv": "x,y\n1,a\n",
    }
    return {name: text.encode() for name, text in texts.items()}


def _commands() -> Iterator[list[str]]:
    """Yield commands, in an order in which later ones use what earlier ones write."""
    yield from (
        [*command, "--help"]
        for command in (
            [],
            ["build"],
            ["learn"],
            ["rules"],
            ["check"],
            ["compile"],
            ["diff"],
            ["explain"],
            ["score"],
            ["emit"],
            ["gains"],
            ["show"],
            ["doctor"],
            ["predict"],
            ["evaluate"],
            ["importances"],
            ["prune"],
            ["relearn"],
            ["verify"],
            *(["emit", kind] for kind in ("python", "javascript", "sql", "dbt", "rules", "text", "table", "dmn")),
        )
    )
    yield from (line.split() for line in _LINES.strip().splitlines())
    for layout in ("auto", "flat", "guarded", "lookup"):
        yield [
            "emit",
            "sql",
            "cart.tree.json",
            "--dialect",
            "duckdb",
            "--layout",
            layout,
            "--kind",
            "select",
            "--table",
            "main.people",
            "--keys",
            "a,b",
            "--proba",
            "--rule",
            "--reason",
        ]
    for dialect in DIALECTS:
        yield ["emit", "sql", "id3.tree.json", "--dialect", dialect, "--comments"]
        yield ["emit", "rules", "id3.tree.json", "--dialect", dialect, "--keys", "id"]
        yield ["check", "cases.sql", "--dialect", dialect, "--lang", "zh"]
    for format in DRAWINGS:
        yield ["show", "kinds.tree.json", "--format", format, "--lang", "zh", "-o", f"shown.{format}"]
    for format in ("text", "md", "csv", "json", "sarif"):
        for lang in ("en", "zh"):
            yield ["check", "ordered.rules", "gaps.rules", "cases.sql", "--format", format, "--lang", lang]
            if format != "sarif":
                yield from (
                    [*command, "--format", format, "--lang", lang]
                    for command in (
                        ["diff", "gaps.rules", "ordered.rules", "--limit", "3"],
                        ["explain", "gaps.rules", "--row", '{"x": 3, "c": "q"}'],
                        ["explain", "cart.tree.json", "--row", '{"x": 0.5, "level": "low"}'],
                        ["gains", "numbers.csv", "--target", "y", "--algorithm", "c45"],
                        ["rules", "cart.tree.json"],
                        ["score", "cases.sql", "numbers.csv", "--case", "2"],
                        ["emit", "--list"],
                        ["prune", "new.tree.json", "--data", "numbers.csv", "--cv", "3", "--table"],
                    )
                )


_LINES = """
learn numbers.csv --target y --drop f --drop w -o new.tree.json
learn numbers.csv --target z --drop f --weight w -o z.tree.json
learn numbers.csv --target y --recipe recipe.toml
learn numbers.csv --target y --recipe none.toml
learn numbers.csv --target y --algorithm c45 --quinlan --confidence 0.1 --keep f
learn numbers.csv --target y --algorithm c45 --categories grouped --missing-values branch
learn numbers.csv --target y --criterion entropy --base e --max-leaves 3
learn numbers.csv --target y --cost a,b=3 --prior a=0.3 --prior b=0.7
learn numbers.csv --target y --cost a,b=3 --cost b,a=2 --min-impurity 0.1
learn numbers.csv --target y --cost a=3
learn numbers.csv --target y --class-weight balanced --threads 2
learn numbers.csv --target y --class-weight a=2 --feature-cost x=3 --prefer n
learn numbers.csv --target z --monotone x=+ --monotone n=-1 --max-depth 3
learn numbers.csv --target z --monotone x=2
learn numbers.csv --target y --types n=category --types x=number
learn numbers.csv --target y --types n
learn numbers.csv --target y --validation numbers.csv
learn numbers.csv --target y --task regression
learn numbers.csv --target y --encoding utf-8 --delimiter , --missing f0
learn bad.csv --target b
learn one.csv --target y
learn rows.jsonl --target y
learn none.csv --target y
learn --target y
learn --query nonsense --target y
learn numbers.csv loan.csv --target y
build numbers.csv --target y -o built --dialect sqlite --layout guarded --lang zh
build rows.jsonl --target y -o built
build numbers.csv --target y -o loan.csv
rules cart.tree.json --sort lift --where n>=3 --where confidence<=0.9
rules cart.tree.json --where n>3
rules cart.tree.json --where size>=3
rules cart.tree.json --where n>=x
rules regression.tree.json --sort n --format md
rules leaf.tree.json --lang zh
rules broken.tree.json
rules none.tree.json
rules loan.csv
check new.tree.json cart.tree.json
check gaps.rules --limit 1
check gaps.rules --budget 1
check gaps.rules --schema schema.json
check gaps.rules --schema loan.csv
check gaps.rules --as csv
check gaps.rules --independent
check ordered.rules --independent
check cases.sql --independent
check cases.sql --independent --dialect bigquery
check cases.sql --independent --format text
check cases.sql --schema schema.json
check loan.csv
check numbers.csv --as rules
check none.rules
check recipe.toml
check
compile gaps.rules -o gaps.tree.json
compile ordered.rules -o ordered.tree.json
compile ordered.rules -o ordered.tree.json --budget 1
compile cases.sql -o cases.tree.json
compile cases.sql -o cases.tree.json --case 2
compile cases.sql -o cases.tree.json --case 9
diff ordered.rules ordered.tree.json
diff ordered.rules gaps.rules --exit-code
diff cart.tree.json id3.tree.json
diff new.tree.json z.tree.json
diff new.tree.json new.tree.json --data numbers.csv --exit-code
diff cases.sql cases.sql --case 1
diff cases.sql cases.sql
explain new.tree.json --data numbers.csv --id 3
explain new.tree.json --data numbers.csv --id f1 --id-column f
explain new.tree.json --data numbers.csv --id 99
explain new.tree.json --row {"x":3}
explain new.tree.json --row {"x":3,"q":1} --budget 1
explain new.tree.json --row {
explain new.tree.json
explain new.tree.json --row {} --id 3
score gaps.rules numbers.csv
score new.tree.json numbers.csv --weight w --format csv
score new.tree.json loan.csv
score ordered.rules numbers.csv --drop-missing-target
emit
emit --list
emit python new.tree.json --lang zh --layout flat
emit python regression.tree.json --vectorized -o module.py
emit python new.tree.json --templates none
emit javascript kinds.tree.json --layout guarded -o module.mjs
emit sql new.tree.json --dialect cobol
emit sql new.tree.json
emit sql new.tree.json --dialect duckdb --rename names.json --kind select
emit sql new.tree.json --dialect duckdb --rename names.bad.json
emit sql new.tree.json --dialect duckdb --rename names.odd.json
emit sql new.tree.json --dialect duckdb --rename none.json
emit sql new.tree.json --dialect duckdb -o new.sql
emit sql new.tree.json --dialect sqlite --kind view --name v -o new.view.sql
emit sql new.tree.json --dialect duckdb --kind function --name f
emit sql new.tree.json --dialect duckdb --kind macro --name m
emit sql boolean.tree.json --dialect duckdb --otherwise true --layout flat
emit sql boolean.tree.json --dialect duckdb --otherwise maybe
emit sql integer.tree.json --dialect postgres --otherwise 5 --layout flat
emit sql integer.tree.json --dialect postgres --otherwise five
emit sql date.tree.json --dialect duckdb --otherwise 2024-03-21 --layout flat
emit sql date.tree.json --dialect duckdb --otherwise soon
emit sql regression.tree.json --dialect mysql --otherwise 0.5 --layout flat
emit sql kinds.tree.json --dialect bigquery --otherwise ? --layout flat
emit sql bushy.tree.json --dialect oracle
emit sql chain.tree.json --dialect tsql
emit dbt new.tree.json -o project --table people --dialects duckdb,postgres
emit dbt new.tree.json -o project --name p --model m
emit dbt new.tree.json -o project --dialects cobol
emit rules new.tree.json --dialect duckdb --keys id,second --table people --name r --rename names.json
emit rules new.tree.json --dialect duckdb
emit text gaps.rules
emit text ordered.rules
emit text cases.sql --case 2
emit table gaps.rules --format md
emit table kinds.tree.json
emit dmn gaps.rules --name d
emit dmn ordered.rules
emit dmn new.tree.json -o new.dmn
check new.dmn
gains numbers.csv --target y
gains numbers.csv --target z --digits 5
gains numbers.csv --target y --algorithm id3
gains numbers.csv --model new.tree.json --node 1
gains numbers.csv --model new.tree.json --node 99
gains numbers.csv --model new.tree.json --target y
gains numbers.csv --model new.tree.json --max-depth 3
gains numbers.csv
show new.tree.json --depth 1
show chain.tree.json --format mermaid
show new.tree.json --depth -1
predict new.tree.json numbers.csv --keys f --rule --proba
predict new.tree.json numbers.csv --format json
predict new.tree.json numbers.csv --format md --keys q
predict new.tree.json numbers.csv -o p.parquet
predict new.tree.json numbers.csv -o p.parquet --format md
predict new.tree.json numbers.csv -o p.csv --rule
predict z.tree.json numbers.csv --proba
predict cart.tree.json loan.csv
predict cart.tree.json rows.jsonl
evaluate new.tree.json numbers.csv
evaluate new.tree.json numbers.csv --weight w --lang zh
evaluate z.tree.json numbers.csv --format md
evaluate cart.tree.json numbers.csv
importances new.tree.json
importances z.tree.json numbers.csv --permutation --repeats 2
importances new.tree.json numbers.csv --permutation --seed 3 --weight w
prune new.tree.json --alpha 1 -o pruned.tree.json
prune new.tree.json --method penalised --alpha 2
prune new.tree.json --method pessimistic --data numbers.csv
prune new.tree.json --method reduced_error --data numbers.csv --weight w
prune new.tree.json --method merge_equal_leaves
prune new.tree.json --snip 1 --snip 2
prune new.tree.json --data numbers.csv --cv 4 --rule min --complexity rpart --seed 3
prune new.tree.json --data numbers.csv --cv f --rule 1se --cp 0.01
prune new.tree.json --data numbers.csv --cv 3 --processes 2 -o cv.tree.json
prune new.tree.json
relearn new.tree.json numbers.csv -o again.tree.json
relearn pruned.tree.json numbers.csv -o again.pruned.json
relearn new.tree.json one.csv
relearn z.tree.json numbers.csv
relearn kinds.tree.json numbers.csv
verify new.tree.json --against new.sql
verify new.tree.json --against new.sql --data numbers.csv --format json
verify new.tree.json --against new.view.sql --rows 20
verify z.tree.json --against module.py --rows 30
verify regression.tree.json --against module.py --rows 30 --format json
verify cart.tree.json --against new.sql
verify new.tree.json --against numbers.csv
verify new.tree.json --against new.sql --dialect oracle
verify new.tree.json --against none.sql
verify pruned.tree.json --against new.sql --format json
"""


def _shown() -> Iterator[list[str]]:
    """Yield commands whose tables look otherwise on a terminal."""
    for line in (
        "rules cart.tree.json",
        "rules regression.tree.json --lang zh",
        "gains numbers.csv --target y",
        "gains numbers.csv --target z",
        "evaluate new.tree.json numbers.csv",
        "importances new.tree.json",
        "score gaps.rules numbers.csv",
        "diff gaps.rules ordered.rules",
        'explain gaps.rules --row {"x":3}',
        "emit --list",
        "prune new.tree.json --data numbers.csv --cv 3 --table",
        "build rows.jsonl --target y -o out",
        "check gaps.rules",
        "rules kinds.tree.json",
        "rules leaf.tree.json --format csv",
    ):
        yield line.split()


def _processes() -> Iterator[tuple[str, str]]:
    """Yield commands in processes of their own."""
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONHASHSEED": "7"}
    with working_in(_files()):
        for arguments in (
            ["check", "gaps.rules"],
            ["learn", "numbers.csv", "--target", "y"],
            ["grow"],
            ["rules", "none"],
        ):
            done = subprocess.run(
                [sys.executable, "-m", "treerules", *arguments], capture_output=True, env=environment, check=False
            )
            text = (
                f"exit code {done.returncode}\n--- stdout\n{done.stdout.decode()}\n--- stderr\n{done.stderr.decode()}"
            )
            yield f"process {' '.join(arguments)}", text.replace(str(Path.cwd()), "FOLDER")


def _fitted() -> Iterator[tuple[str, str]]:
    """Yield how tables are divided where a terminal is narrow."""
    table = TextTable(
        ["rule", "if", "then", "n", "coverage", "support", "confidence", "lift"],
        [
            ["1", "x <= 3 AND 年龄 = 青年", "是", "12", "0.25", "0.125", "0.5", "1.25"],
            ["2", "x > 3", "否", "3", "0.5", "1", "1", "2"],
        ],
        [False, False, False, True, True, True, True, True],
    )
    for columns in (20, 34, 50, 80, 200):
        yield f"fitting {columns}", told(fitting(table, columns))
