"""Functions that may give another value for the same arguments within one statement, and those that do not.

sqlglot has a class for each function that it knows. Of these `VOLATILE` names the ones that are equal to nothing, not
even to themselves. A function without a class is one of a user, unless `KNOWN_FUNCTIONS` names it.
"""

_RANDOM = """
Rand Randn Randstr Uniform Normal Uuid Shuffle NextValueFor Seq1 Seq2 Seq4 Seq8 Generator Encrypt EncryptRaw
CombinedAggFunc CombinedParameterizedAgg ParameterizedAgg PropertyEQ Apply HashAgg
"""
#: Functions that ask a model, a file or a session.
_OUTSIDE = """
AIAgg AIClassify AIEmbed AIForecast AIGenerate AISimilarity AISummarizeAgg FeaturesAtTime GenerateBool GenerateDouble
GenerateEmbedding GenerateInt GenerateTable GenerateText MLForecast MLTranslate Predict VectorSearch ReadCSV
ReadParquet OpenJSON XMLTable JSONTable ToFile Secret DynamicIdentifier
"""
#: Functions that give several rows or several columns.
_ROWS = """
Columns Explode ExplodingGenerateSeries Flatten GenerateDateArray GenerateSeries GenerateTimestampArray Inline
Posexplode PosexplodeOuter SplitToTable Stack StrtokSplitToTable _ExplodeOuter
"""
#: Aggregates whose value depends on the order of rows, or on how they are split among threads.
_ORDERED = """
AnyValue ApproxDistinct ApproxPercentileAccumulate ApproxPercentileCombine ApproxPercentileEstimate ApproxQuantile
ApproxQuantiles ApproxTopK ApproxTopKAccumulate ApproxTopKCombine ApproxTopKEstimate ApproxTopSum ArgMax ArgMin ArrayAgg
ArrayConcatAgg ArrayUnionAgg ArrayUniqueAgg First GroupConcat Hll JSONArrayAgg JSONBObjectAgg JSONObjectAgg Last Minhash
MinhashCombine Mode ObjectAgg TableSample
"""

#: sqlglot's classes of what is equal to nothing.
VOLATILE = frozenset(f"{_RANDOM} {_OUTSIDE} {_ROWS} {_ORDERED}".split())
#: sqlglot's classes of clauses that choose some of the rows of a subquery.
ORDER_DEPENDENT = frozenset({"Limit", "Fetch", "Offset"})
#: The names of functions, in lower case, that give the time of each call; sqlglot reads them as that of the statement.
VOLATILE_NAMES = frozenset({"sysdate", "clock_timestamp", "timeofday"})

_OF_TEXT = """
ascii bit_length btrim char char_length character_length charindex chr concat concat_ws difference ends_with
format_number initcap instr left len length locate lpad ltrim mid octet_length patindex position printf quotename
regexp_count regexp_extract regexp_instr regexp_like regexp_match regexp_matches regexp_replace regexp_substr replace
replicate reverse right rpad rtrim soundex split split_part startswith starts_with str str_to_date strcmp string_split
strpos substr substring substring_index substrb text_to_number to_char to_hex translate trim unaccent unicode upper
lower lengthb lower_utf8 contains base64 contains_substr edit_distance editdist3 editdistance format_string from_hex
from_utf8 hex_encode ilike jaro_winkler_similarity levenshtein_distance levenshteindistance match md5_binary md5_hex
normalize_and_casefold regexp regexp_contains regexpextract repeatstr rlike sha1_hex sha256 sha2_hex sha384 sha512
splitbychar splitbyregexp splitbystring str_split str_split_regex string_split_regex substringindex textlen trimboth
trimleft trimright to_utf8 to_varchar unbase64 parsename
"""
_OF_NUMBERS = """
abs acos asin atan atan2 ceil ceiling cos cot degrees exp floor greatest isnumeric least ln log log10 log2 mod pow
power radians round sign sin sqrt square tan to_number trunc truncate try_to_number try_to_decimal width_bucket bitand
bitor bitxor safe_divide div0 div0null zeroifnull nullifzero try_to_double to_double to_decimal atn2 bit_count
bit_lshift bit_not bit_rshift bit_shiftleft bit_shiftright bit_xor bit_and bit_or bitnot bitwise_and bitwise_not
bitwise_or bitwise_xor div double float int isinfinite shiftleft shiftright to_numeric try_add try_divide try_multiply
try_subtract try_to_boolean try_to_numeric boolean isfinite isnan
"""
_OF_TIME = """
add_months age curdate current_date current_time current_timestamp curtime date date_add date_diff date_format
date_part date_sub date_trunc dateadd datediff datefromparts datename datepart dateserial day dayname dayofmonth
dayofweek dayofyear eomonth extract from_unixtime getdate getutcdate hour isodate julianday last_day localtime
localtimestamp make_date make_interval make_time make_timestamp make_timestamptz makedate minute month monthname
months_between next_day now period_add period_diff quarter second statement_timestamp strftime strptime sysdatetime
sysdatetimeoffset sysutcdatetime timediff timestampadd timestampdiff to_date to_days to_seconds to_timestamp today
todate transaction_timestamp try_to_date try_to_timestamp unix_timestamp utc_date utc_timestamp week weekday
weekofyear year yearweek isdate todatetime tostartofmonth toyear tomonth toyyyymm todayofmonth add_days add_hours
add_minutes add_seconds add_weeks add_years adddate convert_tz date_parse datediff_big datesub datetimefromparts
datetrunc dayofweekiso days_between dow doy epoch epoch_ms format_date format_datetime format_time format_timestamp
formatdatetime from_utc_timestamp hours_between maketime microsecond minutes_between months_add parse_date
parse_timestamp parsedatetime seconds_between subdate time_bucket time_format timeadd timestamp_micros
timestamp_millis timestamp_ntz_from_parts timestamp_seconds timestampsub to_time to_timestamp_ltz to_timestamp_ntz
to_timestamp_tz to_unix_timestamp to_unixtime to_utc_timestamp todayofweek toisoweek toisoyear tomonday tostartofday
tostartofhour tostartofminute tostartofquarter tostartofsecond tostartofyear try_to_time try_to_timestamp_ltz
try_to_timestamp_ntz try_to_timestamp_tz weekiso weeks_between years_between
"""
_OF_OTHERS = """
array_contains array_length array_position array_size array_to_string array_upper array_lower arrayexists cardinality
choose coalesce convert decode element_at get get_json_object get_path hashbytes checksum binary_checksum has iff
ifnull iif isnull is_null_value json_array_length json_exists json_extract json_extract_path json_extract_path_text
json_extract_scalar json_length json_query json_type json_unquote json_valid json_value jsonb_array_length
jsonb_exists jsonb_extract_path jsonb_extract_path_text jsonb_path_exists jsonb_typeof json_typeof list_contains
map_keys md5 notempty empty nullif nvl nvl2 object_id parse_json sha1 sha2 size st_contains st_distance st_dwithin
st_intersects st_within tochar toint32 toint64 tofloat64 tostring toint32ornull tofloat64ornull try_cast try_convert
try_parse try_parse_json typeof xmlexists is_array is_object is_varchar bool_or bool_and countif current_setting
current_user user session_user suser_sname db_name schema_name object_name host_name serverproperty databasepropertyex
columnproperty objectproperty original_login app_name has_table_privilege has_schema_privilege pg_typeof to_regclass
num_nulls num_nonnulls array_construct arrays_overlap arrayconcat arraydistinct arrayfilter arraymap arraymax arraymin
arrayslice arraysum json_array_contains_double json_array_contains_string json_extract_bigint json_extract_double
json_extract_json json_extract_string json_value_array jsonextractraw jsonextractstring jsonextractint jsonextractbool
jsonhas list_concat list_count list_distinct list_filter list_has list_has_any list_has_all list_max list_min
list_sort list_transform list_value list_any list_position len object_keys to_json to_json_string try_element_at
totypename count_big countmatches every slice split_to_array getlength
"""
#: Functions of one or two dialects, whose names nobody would give to another function.
_OF_DIALECTS = """
datalength isjson json_modify string_escape col_length switchoffset smalldatetimefromparts datetime2fromparts
find_in_set inet_aton inet_ntoa inet6_aton inet6_ntoa json_contains json_search json_overlaps crc32 sec_to_time
time_to_sec from_days addtime subtime is_ipv4 is_ipv6 is_uuid bin_to_uuid uuid_to_bin quote_ident quote_literal masklen
lower_inf upper_inf isempty st_area st_isvalid st_geometrytype geometrytype st_npoints st_length st_srid st_x st_y
st_numgeometries st_isempty st_equals st_touches st_crosses st_overlaps st_covers array_ndims array_dims word_similarity
lnnvl vsize ora_hash rawtohex hextoraw instrb asciistr nls_upper nls_lower to_nchar to_multi_byte to_single_byte
isnotnull xxhash64 pmod bround url_decode url_encode ieee_divide is_valid_json is_valid_json_array can_json_parse
json_extract_array_element_text bpcharcmp date_cmp timestamp_cmp interval_cmp haversine is_integer as_integer
strip_accents try_strptime damerau_levenshtein jaccard hamming list_extract array_extract signbit unixepoch datetime
likely unlikely likelihood url_extract_host url_extract_path url_extract_parameter to_iso8601 codepoint json_size
is_json_scalar luhn_check multiif indexof positioncaseinsensitive arrayelement hasany hasall touint8 touint16 touint32
touint64 toint8 toint16 todatetime64 assumenotnull lowerutf8 lengthutf8 replaceregexpone replaceregexpall toyyyymmdd
tohour tominute intdiv mapcontains isvalidutf8 isipv4string siphash64 countsubstrings hastoken multisearchany
parsedatetimebesteffort parsedatetimebesteffortornull toint8ornull toint64ornull tofloat64orzero todecimal64 bittest
tostartofinterval adddays subtractdays visitparamextractstring cutquerystring
"""
#: Functions, in lower case, that sqlglot may not know and that give equal values for equal arguments in one statement.
KNOWN_FUNCTIONS = frozenset(f"{_OF_TEXT} {_OF_NUMBERS} {_OF_TIME} {_OF_OTHERS} {_OF_DIALECTS}".split())
