-- Nothing reads an event by its id alone, so one index serves as key and to find an order's events.
ALTER TABLE "order_events" DROP CONSTRAINT "order_events_pkey";--> statement-breakpoint
ALTER TABLE "order_events" ADD CONSTRAINT "order_events_order_id_id_pk" PRIMARY KEY USING INDEX "order_events_order_id_id_pk";
