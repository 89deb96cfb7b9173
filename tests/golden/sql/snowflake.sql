--# text: backslashes escape in text in single quotes
--# number: a bare literal is a NUMBER of at most 38 digits
--# timestamp: which type TIMESTAMP is depends on TIMESTAMP_TYPE_MAPPING
--# infinity: the standard has no infinities
--# is_number: NaN is above infinity, so that this asks for NULL and NaN in one comparison
-- treerules 0.1.0 snowflake flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
CREATE TABLE "predictions" AS
SELECT
  "id",
  CASE
    WHEN ("x" <= CAST('0.30000000000000004' AS DOUBLE) OR "x" IS NULL
        OR NOT ("x" <= CAST('inf' AS DOUBLE)))
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND "count" <= 9007199254740993
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄" NOT IN ('it''s', '青年')
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('0.1' AS DOUBLE)
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)
    THEN '否'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)) OR "at" IS NULL)
      AND ("seen" <= CAST('2024-03-21 20:21:09+00:00' AS TIMESTAMP_TZ) OR "seen" IS NULL)
    THEN 'it''s'
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)) OR "at" IS NULL)
      AND "seen" > CAST('2024-03-21 20:21:09+00:00' AS TIMESTAMP_TZ)
    THEN '否'
  END AS "prediction",
  CASE
    WHEN ("x" <= CAST('0.30000000000000004' AS DOUBLE) OR "x" IS NULL
        OR NOT ("x" <= CAST('inf' AS DOUBLE)))
    THEN 1
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND "count" <= 9007199254740993
    THEN 2
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND ("is it" = FALSE OR "is it" IS NULL)
    THEN 3
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND "年龄" NOT IN ('it''s', '青年')
    THEN 4
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND ("size" IN ('S', 'M') OR "size" IS NULL)
    THEN 5
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND "rate" = CAST('0.1' AS DOUBLE)
    THEN 6
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND ("day" <= DATE '2024-02-29' OR "day" IS NULL)
    THEN 7
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND "at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)
    THEN 8
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)) OR "at" IS NULL)
      AND ("seen" <= CAST('2024-03-21 20:21:09+00:00' AS TIMESTAMP_TZ) OR "seen" IS NULL)
    THEN 9
    WHEN "x" > CAST('0.30000000000000004' AS DOUBLE) AND "x" <= CAST('inf' AS DOUBLE)
      AND (NOT ("count" <= 9007199254740993) OR "count" IS NULL)
      AND "is it" = TRUE
      AND ("年龄" IN ('it''s', '青年') OR "年龄" IS NULL)
      AND "size" NOT IN ('S', 'M')
      AND ("rate" <> CAST('0.1' AS DOUBLE) OR "rate" IS NULL)
      AND "day" > DATE '2024-02-29'
      AND (NOT ("at" <= CAST('2024-03-21 20:21:09.000001' AS TIMESTAMP_NTZ)) OR "at" IS NULL)
      AND "seen" > CAST('2024-03-21 20:21:09+00:00' AS TIMESTAMP_TZ)
    THEN 10
  END AS "rule"
FROM "data"
