"""CSV files: the dialect is sniffed, the file is normalised, DuckDB reads the cells, the kinds are decided."""
