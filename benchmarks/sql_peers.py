"""The SQL that SKompiler and orbital make of a scikit-learn tree, printed; run by the Python that has them.

    python sql_peers.py skompiler|orbital DIALECT MODEL.pickle

SKompiler makes no SQL with SQLAlchemy 2, so that Python may have to be another: `pip install SKompiler 'SQLAlchemy<2'
astor orbital` beside the scikit-learn of this one.
"""

import pickle
import sys
from pathlib import Path


def main() -> None:
    peer, dialect, path = sys.argv[1:]
    model = pickle.loads(Path(path).read_bytes())
    names = [f"x{place}" for place in range(model.n_features_in_)]
    if peer == "skompiler":
        from skompiler import skompile

        print(skompile(model.predict, names).to("sqlalchemy/sqlite"))  # plain SQL, for DuckDB too
    else:
        import orbital
        from orbital.types import DoubleColumnType
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import Pipeline

        # skl2onnx gives a forest one input, so its columns are joined before it
        joined = ColumnTransformer([("all", "passthrough", list(range(len(names))))]).fit([[0.0] * len(names)])
        parsed = orbital.parse_pipeline(
            Pipeline([("columns", joined), ("tree", model)]), features={name: DoubleColumnType() for name in names}
        )
        print(orbital.export_sql("data", parsed, dialect=dialect))


if __name__ == "__main__":
    main()
