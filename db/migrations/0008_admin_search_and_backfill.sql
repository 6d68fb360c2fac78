-- Pictures change places within one transaction: their positions are compared at its end.
ALTER TABLE product_images DROP CONSTRAINT product_images_position;
--> statement-breakpoint
ALTER TABLE product_images ADD CONSTRAINT product_images_position UNIQUE (product_id, position) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
-- What came back to the shelf was known from the movements alone.
UPDATE order_lines SET returned_quantity = least(order_lines.quantity, m.quantity)
FROM stock_movements m
WHERE m.kind = 'returned' AND m.order_id = order_lines.order_id AND m.product_id = order_lines.product_id;
--> statement-breakpoint
-- When exactly was not written down so far; the day is right for all but the slowest banks.
UPDATE refunds SET settled_at = created_at WHERE status = 'succeeded';
--> statement-breakpoint
UPDATE refunds SET settled_at = NULL WHERE status <> 'succeeded';
--> statement-breakpoint
ALTER TABLE refunds ADD CONSTRAINT refunds_settled_when_succeeded CHECK (settled_at IS NULL OR status = 'succeeded');
--> statement-breakpoint
-- Searching orders by any part of a name or address. A PostgreSQL without its contrib packages searches without the
-- index: slower, and as true.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX orders_search ON orders USING gin ((lower(customer_name) || ' ' || lower(email)) gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'orders are searched without an index: %', SQLERRM;
END $$;
