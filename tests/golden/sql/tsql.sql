--# quotes: double quotes are strings where QUOTED_IDENTIFIER is off
--# text: without N text passes through the code page of the database
--# date: there is no DATE literal
--# timestamp: there are no TIMESTAMP literals; six digits of DATETIME2 hold microseconds
--# true, false: there are no literals of BIT
--# always, never: a truth value is no predicate
--# text_column: collations fold case and widths, and = pads with blanks even under BIN2, hence the end mark
--# text_end: = pads with blanks, so that text is compared with a mark behind it
--# table.sql.j2: there is no CREATE TABLE AS
-- treerules 0.1.0 tsql flat: 10 rules, schema d541fef98e4ed8d0, model 939292f620d28eeb
SELECT *
INTO [predictions]
FROM (
SELECT
  [id],
  CASE
    WHEN ([x] <= 0.30000000000000004e0 OR [x] IS NULL) THEN N'it''s'
    WHEN [x] > 0.30000000000000004e0 AND [count] <= 9007199254740993 THEN N'否'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND ([is it] = CAST(0 AS BIT) OR [is it] IS NULL)
    THEN N'it''s'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND ([年龄] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'it''s.', N'青年.')
    THEN N'否'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND (([size] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'S.', N'M.') OR [size] IS NULL)
    THEN N'it''s'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND [rate] = 0.1e0
    THEN N'否'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND ([day] <= CAST('2024-02-29' AS DATE) OR [day] IS NULL)
    THEN N'it''s'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND [at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))
    THEN N'否'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND (NOT ([at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))) OR [at] IS NULL)
      AND ([seen] <= CAST('2024-03-21T20:21:09+00:00' AS DATETIMEOFFSET(6)) OR [seen] IS NULL)
    THEN N'it''s'
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND (NOT ([at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))) OR [at] IS NULL)
      AND [seen] > CAST('2024-03-21T20:21:09+00:00' AS DATETIMEOFFSET(6))
    THEN N'否'
  END AS [prediction],
  CASE
    WHEN ([x] <= 0.30000000000000004e0 OR [x] IS NULL) THEN 1
    WHEN [x] > 0.30000000000000004e0 AND [count] <= 9007199254740993 THEN 2
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND ([is it] = CAST(0 AS BIT) OR [is it] IS NULL)
    THEN 3
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND ([年龄] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'it''s.', N'青年.')
    THEN 4
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND (([size] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'S.', N'M.') OR [size] IS NULL)
    THEN 5
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND [rate] = 0.1e0
    THEN 6
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND ([day] <= CAST('2024-02-29' AS DATE) OR [day] IS NULL)
    THEN 7
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND [at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))
    THEN 8
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND (NOT ([at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))) OR [at] IS NULL)
      AND ([seen] <= CAST('2024-03-21T20:21:09+00:00' AS DATETIMEOFFSET(6)) OR [seen] IS NULL)
    THEN 9
    WHEN [x] > 0.30000000000000004e0
      AND (NOT ([count] <= 9007199254740993) OR [count] IS NULL)
      AND [is it] = CAST(1 AS BIT)
      AND (([年龄] + N'.') COLLATE Latin1_General_100_BIN2 IN (N'it''s.', N'青年.') OR [年龄] IS NULL)
      AND ([size] + N'.') COLLATE Latin1_General_100_BIN2 NOT IN (N'S.', N'M.')
      AND ([rate] <> 0.1e0 OR [rate] IS NULL)
      AND [day] > CAST('2024-02-29' AS DATE)
      AND (NOT ([at] <= CAST('2024-03-21T20:21:09.000001' AS DATETIME2(6))) OR [at] IS NULL)
      AND [seen] > CAST('2024-03-21T20:21:09+00:00' AS DATETIMEOFFSET(6))
    THEN 10
  END AS [rule]
FROM [data]
) predicted
