CREATE TABLE "event_cursors" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"account" text NOT NULL,
	"read_until" timestamp with time zone,
	"pass_after" text,
	"pass_newest" timestamp with time zone,
	"passed_at" timestamp with time zone,
	"objects_listed_at" timestamp with time zone,
	CONSTRAINT "event_cursors_provider_mode_account_pk" PRIMARY KEY("provider","mode","account"),
	CONSTRAINT "event_cursors_mode" CHECK ("event_cursors"."mode" in ('live','test','sandbox')),
	CONSTRAINT "event_cursors_pass" CHECK (("event_cursors"."pass_after" is null) = ("event_cursors"."pass_newest" is null))
);
--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "delivered_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
-- Until now nothing but the webhook brought any.
UPDATE "payment_events" SET "delivered_at" = "received_at";--> statement-breakpoint
CREATE INDEX "payment_events_delivered" ON "payment_events" USING btree ("delivered_at","created_at");--> statement-breakpoint
CREATE INDEX "payment_events_unworked" ON "payment_events" USING btree ("created_at") WHERE "payment_events"."worked_at" is null;