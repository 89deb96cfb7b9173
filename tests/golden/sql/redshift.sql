--# text: backslashes escape in text
--# number: a bare literal is NUMERIC, as in Postgres
--# timestamp: TIMESTAMP drops the zone silently, TIMESTAMPTZ heeds it
--# infinity: the standard has no infinities
--# is_number: NaN is above infinity, as in Postgres
-- treerules 0.1.0 redshift flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE "predictions" AS
SELECT
  "id",
  CASE
    WHEN ("x" <= CAST('0.30000000000000004' AS DOUBLE PRECISION) OR "x" IS NULL
        OR NOT ("x" <= CAST('Infinity' AS DOUBLE PRECISION)))
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND "count" <= 9007199254740993
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄" NOT IN ('it''s', '青年')
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('0.1' AS DOUBLE PRECISION)
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMPTZ '2024-03-21 20:21:09+00:00' OR "seen" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMPTZ '2024-03-21 20:21:09+00:00'
    THEN '否'
  END AS "prediction",
  CASE
    WHEN ("x" <= CAST('0.30000000000000004' AS DOUBLE PRECISION) OR "x" IS NULL
        OR NOT ("x" <= CAST('Infinity' AS DOUBLE PRECISION)))
    THEN 1
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND "count" <= 9007199254740993
    THEN 2
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 3
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄" NOT IN ('it''s', '青年')
    THEN 4
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 5
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('0.1' AS DOUBLE PRECISION)
    THEN 6
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 7
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= TIMESTAMP '2024-03-21 20:21:09.000001'
    THEN 8
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND ("seen" <= TIMESTAMPTZ '2024-03-21 20:21:09+00:00' OR "seen" IS NULL)
    THEN 9
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE PRECISION)
        AND "x" <= CAST('Infinity' AS DOUBLE PRECISION)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE PRECISION) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= TIMESTAMP '2024-03-21 20:21:09.000001') OR "at" IS NULL)
      AND "seen" > TIMESTAMPTZ '2024-03-21 20:21:09+00:00'
    THEN 10
  END AS "rule"
FROM "data"
