CREATE TABLE "donations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"amount_cents" bigint NOT NULL,
	"sent_on" date NOT NULL,
	"note" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "donations_amount" CHECK ("donations"."amount_cents" > 0),
	CONSTRAINT "donations_note" CHECK (char_length("donations"."note") between 1 and 200)
);
--> statement-breakpoint
CREATE INDEX "donations_newest" ON "donations" USING btree ("sent_on","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_by_kind" ON "messages" USING btree ("kind","created_at","id");--> statement-breakpoint
CREATE INDEX "messages_contact" ON "messages" USING btree (("data" ->> 'messageId')) WHERE ("messages"."data" ->> 'messageId') is not null;