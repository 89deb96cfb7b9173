--# text: E'...' where there is a backslash, so that it reads back whatever standard_conforming_strings is
--# number: a bare 0.3e0 is NUMERIC, and a NUMERIC column would be compared in more digits than a double has
--# timestamp: TIMESTAMP drops the zone silently, TIMESTAMPTZ heeds it
--# text_column: a column may have a nondeterministic collation, be citext, or an enum, which takes none
--# infinity: the standard has no infinities
--# is_number: NaN is above infinity, so that this asks for NULL and NaN in one comparison
-- treerules 0.1.0 postgres flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE "predictions" AS
SELECT
  "id",
  CASE
    WHEN ("x" <= float8 '0.30000000000000004' OR "x" IS NULL OR NOT ("x" <= float8 'Infinity'))
    THEN 'it''s'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND "count" <= 9007199254740993
    THEN '否'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 'it''s'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄"::TEXT COLLATE "C" NOT IN ('it''s', '青年')
    THEN '否'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size"::TEXT COLLATE "C" IN ('S', 'M') OR "size" IS NULL)
    THEN 'it''s'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND "rate" = float8 '0.1'
    THEN '否'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 'it''s'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMPTZ '2024-03-21 20:21:09+00:00' OR "seen" IS NULL)
    THEN 'it''s'
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMPTZ '2024-03-21 20:21:09+00:00'
    THEN '否'
  END AS "prediction",
  CASE
    WHEN ("x" <= float8 '0.30000000000000004' OR "x" IS NULL OR NOT ("x" <= float8 'Infinity')) THEN 1
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND "count" <= 9007199254740993
    THEN 2
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 3
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄"::TEXT COLLATE "C" NOT IN ('it''s', '青年')
    THEN 4
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size"::TEXT COLLATE "C" IN ('S', 'M') OR "size" IS NULL)
    THEN 5
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND "rate" = float8 '0.1'
    THEN 6
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 7
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMPTZ '2024-03-21 20:21:09+00:00' OR "seen" IS NULL)
    THEN 9
    WHEN "x" > float8 '0.30000000000000004' AND "x" <= float8 'Infinity'
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄"::TEXT COLLATE "C" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size"::TEXT COLLATE "C" NOT IN ('S', 'M')
      AND ("rate" <> float8 '0.1' OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMPTZ '2024-03-21 20:21:09+00:00'
    THEN 10
  END AS "rule"
FROM "data"
