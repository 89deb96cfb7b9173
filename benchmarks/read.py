"""Reading a CSV of a million rows and ten columns: CPU time against pandas.read_csv, interleaved, and peak memory.

    python benchmarks/read.py [ROWS | --quick]

Each reading runs in a process of its own, which imports what it needs before the clock starts. Equal work is checked:
the sums of the numbers and the counts of the categories.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7

READ = """
import json, resource, sys, time
path, reader = sys.argv[1:]
if reader == "pandas":
    import pandas
    start = time.process_time()
    frame = pandas.read_csv(path)
    cpu = time.process_time() - start
    numbers = [float(frame[name].sum()) for name in frame.columns if frame[name].dtype.kind in "if"]
    texts = [frame[name] for name in frame.columns if frame[name].dtype.kind not in "if"]
    counts = [sorted(column.value_counts().tolist()) for column in texts]
else:
    import duckdb, numpy, treerules, treerules.data.column
    start = time.process_time()
    table = treerules.readers.read_csv(path)
    cpu = time.process_time() - start
    ordered = [column for column in table.columns if column.feature.is_ordered]
    numbers = [float(numpy.nansum(column.data)) for column in ordered]
    counts = [sorted(numpy.bincount(c.data[~c.missing]).tolist()) for c in table.columns if not c.feature.is_ordered]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpu": cpu, "peak": peak, "numbers": numbers, "counts": counts}))
"""


def written(path: Path, rows: int, kind: str) -> None:
    """Write a file: mixed columns, numbers of full length, or mixed with missing cells."""
    import numpy as np

    random = np.random.default_rng(0)
    if kind == "numbers":
        columns = [random.normal(size=rows).tolist() for _ in range(10)]
    else:
        columns = [random.normal(size=rows).round(4).tolist() for _ in range(5)]
        columns += [random.integers(0, 1000, rows).tolist() for _ in range(2)]
        words = (["red", "green", "blue", "白"], ["yes", "no"], [f"city{n}" for n in range(300)])
        columns += [random.choice(choices, rows).tolist() for choices in words]
    if kind == "missing":
        holes = random.random((10, rows)) < 0.1
        columns = [
            ["" if hole else v for v, hole in zip(c, at, strict=True)] for c, at in zip(columns, holes, strict=True)
        ]
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f"c{place}" for place in range(10)) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in zip(*columns, strict=True))


def measured(path: Path, reader: str) -> dict:
    """Return what one process says."""
    done = subprocess.run([sys.executable, "-c", READ, str(path), reader], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def main() -> None:
    quick = "--quick" in sys.argv
    rows = 100_000 if quick else int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = 3 if quick else ROUNDS
    if len(sys.argv) > 2:  # the process that writes the file, so that those measured do not inherit its size
        written(Path(sys.argv[2]), rows, sys.argv[3])
        return
    print(f"{rows} rows x 10 columns, medians of {rounds} interleaved rounds on {os.cpu_count()} cores")
    for kind in ("mixed", "numbers", "missing"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "data.csv"
            subprocess.run([sys.executable, __file__, str(rows), str(path), kind], check=True)
            size = path.stat().st_size / 2**20
            found = [(measured(path, "pandas"), measured(path, "treerules")) for _ in range(rounds)]
        for theirs, ours in found:
            assert ours["counts"] == theirs["counts"]
            assert all(
                abs(a - b) <= 1e-9 * max(1.0, abs(a)) for a, b in zip(ours["numbers"], theirs["numbers"], strict=True)
            )
        ratio = statistics.median(ours["cpu"] / theirs["cpu"] for theirs, ours in found)
        cpu = [statistics.median(pair[side]["cpu"] for pair in found) for side in (0, 1)]
        peak = [max(pair[side]["peak"] for pair in found) for side in (0, 1)]
        print(
            f"{kind:8} {size:4.0f} MB: treerules / pandas CPU {ratio:.2f} ({cpu[1]:.2f} s / {cpu[0]:.2f} s); "
            f"peak {peak[1]:.0f} MB of {4 * size + 200:.0f} MB allowed (pandas {peak[0]:.0f} MB)"
        )


if __name__ == "__main__":
    main()
