"""MariaDB: MySQL, but for its collations."""

from attrs import evolve

from treerules.sql.dialects.mysql import MYSQL

MARIADB = evolve(
    MYSQL,
    spelling=evolve(
        MYSQL.spelling,
        name="mariadb",
        about="MariaDB 10.5 and newer (run in the tests)",
        text_column="CONVERT({} USING utf8mb4) COLLATE utf8mb4_nopad_bin",
        replacing={"view": "CREATE OR REPLACE VIEW", "table": "CREATE OR REPLACE TABLE"},
        single="CAST({} AS FLOAT)",
        dbt_adapter="mariadb",
    ),
    drivers=("mariadb",),
)
