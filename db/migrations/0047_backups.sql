CREATE TABLE "backups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"taken_at" timestamp with time zone,
	"server" text,
	"path" text,
	"bytes" bigint,
	"row_count" bigint,
	"order_count" integer,
	"seconds" real,
	"is_encrypted" boolean DEFAULT false NOT NULL,
	"progress" integer DEFAULT 0 NOT NULL,
	"problem" text,
	"tested_at" timestamp with time zone,
	"is_test_good" boolean,
	"test_lines" text[] DEFAULT '{}' NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "backups_kind" CHECK ("backups"."kind" in ('nightly','manual','before_migration','by_hand')),
	CONSTRAINT "backups_status" CHECK ("backups"."status" in ('queued','saving','testing','done','failed')),
	CONSTRAINT "backups_progress" CHECK ("backups"."progress" between 0 and 100)
);
--> statement-breakpoint
CREATE INDEX "backups_requested" ON "backups" USING btree ("requested_at");