"""The words that SQL does not take as names without quotes, by engine.

A word that only other engines reserve is a name here: "end" needs its quotes everywhere, "level" in Oracle alone.
"""

_DUCKDB = """
    all analyse analyze and anti any array as asc asof asymmetric at authorization between bigint binary bit boolean
    both by case cast char character check coalesce collate collation column columns concurrently constraint create
    cross dec decimal default deferrable desc describe distinct do else end except exists extract false fetch float
    for foreign freeze from full generated glob group grouping grouping_id having ilike in initially inner inout int
    integer intersect interval into is isnull join lambda lateral leading left like limit map national natural nchar
    none not notnull null nullif numeric offset on only or order out outer overlaps overlay pivot pivot_longer
    pivot_wider placing position positional precision primary qualify real references returning right row select
    semi setof show similar smallint some struct substring summarize symmetric table tablesample then time timestamp
    to trailing treat trim true try_cast tuple union unique unpack unpivot using values varchar variadic verbose
    when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
    xmlroot xmlserialize xmltable
"""
_POSTGRES = """
    all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case
    cast char character check coalesce collate collation column concurrently constraint create cross current_catalog
    current_date current_role current_schema current_time current_timestamp current_user dec decimal default
    deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full grant
    greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join
    lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not notnull
    null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary real
    references returning right row select session_user setof similar smallint some substring symmetric table
    tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic
    verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse
    xmlpi xmlroot xmlserialize xmltable
"""
_SQLITE = """
    abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade
    case cast check collate column commit conflict constraint create cross current current_date current_time
    current_timestamp database default deferrable deferred delete desc detach distinct do drop each else end escape
    except exclude exclusive exists explain fail filter first following for foreign from full generated glob group
    groups having if ignore immediate in index indexed initially inner insert instead intersect into is isnull join
    key last left like limit match materialized natural no not nothing notnull null nulls of offset on or order
    others outer over partition plan pragma preceding primary query raise range recursive references regexp reindex
    release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then
    ties to transaction trigger unbounded union unique update using vacuum values view virtual when where window
    with without
"""
_OTHERS = """
    accessible admin aes128 aes256 allowoverwrite asensitive assert_rows_modified az64 backup blanksasnull blob body
    break browse bulk bytedict bzip2 call change checkpoint close cluster clustered comment compress compute
    condition connect contains containstable continue convert copy credentials cube cume_dist current_user_id cursor
    databases date day_hour day_microsecond day_minute day_second dbcc deallocate declare define deflate defrag
    delayed delta delta32k dense_rank deny deterministic disable disk distinctrow distributed div do_domain_ids
    double dual dump elseif elsif empty emptyasnull enable enclosed encode encrypt encryption enum errlvl escaped
    exec execute exit explicit external file fillfactor first_value float4 float8 force freetext freetexttable
    fulltext function general get get_master_public_key globaldict256 globaldict64k goto gzip hash high_priority
    history holdlock hour_microsecond hour_minute hour_second identified identity identity_insert identitycol
    ignore_domain_ids ignore_server_ids increment inf infile infinity insensitive int1 int2 int3 int4 int8
    io_after_gtids io_before_gtids iterate json_table keys kill lag language last_value lead leave level linear
    lineno lines load lock long longblob longtext lookup loop low_priority lun luns lzo lzop master_bind
    master_heartbeat_period master_ssl_verify_server_cert maxvalue mediumblob mediumint mediumtext member merge
    middleint minus minute_microsecond minute_second mod mode modifies mostly16 mostly32 mostly8 nan new
    no_write_to_binlog nocheck nocompress nonclustered nowait nth_value ntile number off offline offsets oid old
    open opendatasource openquery openrowset openxml optimize optimizer_costs option optionally outfile package
    page_checksum parallel parse_gcol_expr parse_vcol_expr pctfree percent percent_rank period permissions persist
    persist_only prepare print prior proc procedure proto public purge raiserror rank raw read read_write readratio
    reads readtext reconfigure recover ref_system_id rejectlog repeat replication require resignal resort resource
    respect restore return revert revoke rlike role rollup row_number rowcount rowguidcol rowid rownum rowtype rule
    sample save schema schemas second_microsecond securityaudit sensitive separator setuser share shutdown signal
    size slow snapshot spatial specific sql sql_after_gtids sql_before_gtids sql_big_result sql_calc_found_rows
    sql_small_result sqlexception sqlstate sqlwarning ssl start starting statistics stats_auto_recalc
    stats_persistent stats_sample_pages stored straight_join synonym sysdate system system_time system_user
    systimestamp tag tdes terminated text255 text32k textsize tinyblob tinyint tinytext top tran truncate
    truncatecolumns tsequal type uid undo unlock unnest unsigned updatetext usage use utc_date utc_time
    utc_timestamp varbinary varchar2 varcharacter varying versioning waitfor wallet whenever while within write
    writetext xor year_month zerofill
"""
#: What sqlglot, which reads SQL here, takes as no name, and SQLite's TRUE and FALSE, which are names where a column has
#: them, and not in a query of a query.
_UNREAD = """
    alter any current_catalog current_date current_time current_timestamp current_user describe drop false fetch force
    glob grant if ilike insert lateral localtime localtimestamp qualify regexp revoke rlike rollback session_user
    tablesample true xor
"""

#: DuckDB 2.0: `duckdb_keywords()` but for the category "unreserved".
DUCKDB_WORDS = frozenset((_DUCKDB + _UNREAD).split())
#: PostgreSQL 15: `pg_get_keywords()` but for the category "unreserved".
POSTGRES_WORDS = frozenset((_POSTGRES + _UNREAD).split())
#: SQLite 3.40: `sqlite3_keyword_name()`. Most are taken as names too, but not everywhere.
SQLITE_WORDS = frozenset((_SQLITE + _UNREAD).split())
#: For the engines without a list of their own here: what MySQL, MariaDB, SQL Server, Oracle, Snowflake, Redshift, Trino
#: or BigQuery reserve by their documentation, and all of the above: a name that is quoted without need does no harm.
ALL_WORDS = DUCKDB_WORDS | POSTGRES_WORDS | SQLITE_WORDS | frozenset(_OTHERS.split())
