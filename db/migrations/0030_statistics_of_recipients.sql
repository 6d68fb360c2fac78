-- PostgreSQL does not use the statistics of an index that leaves out rows: it expected every address to have a two-hundredth of
-- all messages, and read them all from the newest on.
CREATE STATISTICS "messages_recipients" ON (lower("recipient")) FROM "messages";
--> statement-breakpoint
ANALYZE "messages";
