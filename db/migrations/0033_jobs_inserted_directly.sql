-- The statements that called it insert their jobs themselves, in less time.
DROP FUNCTION IF EXISTS queue_jobs(text, text, smallint, smallint, json[]);
