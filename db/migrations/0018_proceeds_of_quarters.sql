ALTER TABLE "sales_quarters" ADD COLUMN "proceeds_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The quarters made so far do not have it: they are all made anew.
DELETE FROM "sales_rollup";
