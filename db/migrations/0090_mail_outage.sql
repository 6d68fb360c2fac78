CREATE TABLE "mail_outage" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"outage_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"last_failed_at" timestamp with time zone NOT NULL,
	"cause" text NOT NULL,
	"only_recipient_hash" "bytea",
	"is_answered" boolean NOT NULL,
	"told_at" timestamp with time zone,
	CONSTRAINT "mail_outage_single" CHECK ("mail_outage"."id" = 1)
);
