CREATE TABLE "go_live_statements" (
	"about" text PRIMARY KEY NOT NULL,
	"stated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "go_live_statements_about" CHECK ("go_live_statements"."about" in ('policies_read','offsite_backup'))
);
