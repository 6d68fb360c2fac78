ALTER TABLE "orders" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "mode" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_mode" CHECK ("orders"."mode" in ('live','test','sandbox'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_mode" CHECK ("payments"."mode" in ('live','test','sandbox'));--> statement-breakpoint
-- What was paid before says so itself: the sandbox by its name, a hosted page of Stripe's by its id, any other payment of
-- Stripe's by the events that came about it. Of the rest nobody knows.
UPDATE "payments" SET "mode" = 'sandbox' WHERE "provider" = 'sandbox';--> statement-breakpoint
UPDATE "payments" SET "mode" = substring("session_id" from '^cs_(live|test)_') 
WHERE "provider" = 'stripe' AND "session_id" ~ '^cs_(live|test)_';--> statement-breakpoint
UPDATE "payments" SET "mode" = CASE WHEN "event"."livemode" THEN 'live' ELSE 'test' END
FROM (SELECT "intent_id", bool_or("livemode") AS "livemode" FROM "payment_events" WHERE "intent_id" IS NOT NULL GROUP BY 1) AS "event"
WHERE "payments"."mode" IS NULL AND "payments"."intent_id" = "event"."intent_id";--> statement-breakpoint
UPDATE "orders" SET "mode" = "paid"."mode"
FROM (SELECT DISTINCT ON ("order_id") "order_id", "mode" FROM "payments"
  ORDER BY "order_id", ("status" = 'succeeded') DESC, "revision" DESC) AS "paid"
WHERE "paid"."order_id" = "orders"."id" AND "paid"."mode" IS NOT NULL;
