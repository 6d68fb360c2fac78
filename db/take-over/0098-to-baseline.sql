-- Two triggers shipped orders for servers that knew no parcels, and a default served those that knew no day of the shop. A restored
-- backup has none of them.
DROP TRIGGER IF EXISTS "orders_shipped_whole" ON "orders";--> statement-breakpoint
DROP TRIGGER IF EXISTS "orders_parcel_changed" ON "orders";--> statement-breakpoint
DROP FUNCTION IF EXISTS ship_what_waits();--> statement-breakpoint
DROP FUNCTION IF EXISTS follow_last_parcel();--> statement-breakpoint
DROP FUNCTION IF EXISTS take_from_batches(uuid, integer, integer, integer, date);
