-- The days on which an order was promised to come are kept with it. Orders placed before have none.
ALTER TABLE "orders" ADD COLUMN "arrives_from" date;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "arrives_until" date;--> statement-breakpoint
-- still-works: programs that do not know the columns leave both empty.
ALTER TABLE "orders" ADD CONSTRAINT "orders_arrival" CHECK (("orders"."arrives_from" is null) = ("orders"."arrives_until" is null) and "orders"."arrives_from" <= "orders"."arrives_until") NOT VALID;
