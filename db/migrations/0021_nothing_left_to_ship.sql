DROP INDEX "orders_to_ship";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "all_back_at" timestamp with time zone;--> statement-breakpoint
-- Orders whose units went back before. When the last of them did, the history of the stock knows.
UPDATE orders SET all_back_at = coalesce(back.at, now())
FROM (SELECT order_id FROM order_lines GROUP BY order_id HAVING bool_and(returned_quantity = quantity)) AS empty
LEFT JOIN (SELECT order_id, max(at) AS at FROM stock_movements WHERE kind = 'returned' GROUP BY order_id) AS back
  USING (order_id)
WHERE empty.order_id = orders.id;
--> statement-breakpoint
CREATE INDEX "orders_to_ship" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" in ('completed','partially_refunded') and "orders"."shipped_at" is null and "orders"."called_off_at" is null and "orders"."all_back_at" is null;
