CREATE TABLE "disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"withdrawn_cents" integer DEFAULT 0 NOT NULL,
	"fee_cents" integer DEFAULT 0 NOT NULL,
	"charged_back_cents" integer GENERATED ALWAYS AS (case when status in ('lost','closed') then withdrawn_cents else 0 end) STORED NOT NULL,
	"held_cents" integer GENERATED ALWAYS AS (case when status in ('lost','closed') then 0 else withdrawn_cents end) STORED NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"is_inquiry" boolean NOT NULL,
	"evidence_due_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"withdrawn_at" timestamp with time zone,
	"reinstated_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL,
	"revision" integer NOT NULL,
	CONSTRAINT "disputes_status" CHECK ("disputes"."status" in ('needs_response','under_review','won','lost','closed')),
	CONSTRAINT "disputes_amounts" CHECK ("disputes"."amount_cents" >= 0 and "disputes"."withdrawn_cents" >= 0 and "disputes"."fee_cents" >= 0),
	CONSTRAINT "disputes_closed" CHECK (("disputes"."closed_at" is not null) = ("disputes"."status" in ('won','lost','closed')))
);
--> statement-breakpoint
DROP INDEX "orders_to_ship";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "charged_back_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "ship_hold" text;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_order" ON "disputes" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "disputes_intent" ON "disputes" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "disputes_changed" ON "disputes" USING btree ("changed_at");--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("created_at") WHERE "disputes"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" in ('completed','partially_refunded') and "orders"."shipped_at" is null and "orders"."called_off_at" is null and "orders"."all_back_at" is null and "orders"."ship_hold" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_charged_back" CHECK ("orders"."charged_back_cents" >= 0);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_ship_hold" CHECK ("orders"."ship_hold" in ('dispute','refund'));--> statement-breakpoint
-- What waits already: orders with a dispute that the owner was told of, and those being refunded whole.
UPDATE "orders" SET "ship_hold" = 'dispute' WHERE EXISTS (
	SELECT FROM "payment_flags" f WHERE f.order_id = "orders"."id" AND f.kind = 'dispute' AND f.resolved_at IS NULL
);--> statement-breakpoint
UPDATE "orders" SET "ship_hold" = 'refund' WHERE "ship_hold" IS NULL AND "id" IN (
	SELECT r.order_id FROM "refunds" r WHERE r.status = 'pending'
) AND "total_cents" <= (
	SELECT sum(r.amount_cents) FROM "refunds" r
	JOIN "payments" p ON p.intent_id = r.intent_id AND p.status = 'succeeded'
	WHERE r.order_id = "orders"."id" AND r.status IN ('pending', 'succeeded')
);
