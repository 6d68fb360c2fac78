-- Changes of the items of paid orders: what they add and take out, and what of an order they have added. Versions before this one
-- write none of it.
-- still-works: no version has written a change, and none names the constraint; order_changes_sums takes its place.
ALTER TABLE "order_changes" DROP CONSTRAINT "order_changes_split";
--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "added" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "removed" jsonb DEFAULT '[]'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "removed_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "order_changes" ADD COLUMN "sent_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "added_goods_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "added_shipping_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "added_tax_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "exchanged_cents" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "change_id" uuid;
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "change_id" uuid;
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_change_id_order_changes_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."order_changes"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
-- still-works: no version has written a change, and none writes the new columns.
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_sums" CHECK ("order_changes"."goods_cents" + "order_changes"."shipping_cents" + "order_changes"."tax_cents" - "order_changes"."removed_cents" = "order_changes"."difference_cents") NOT VALID;
--> statement-breakpoint
-- still-works: servers of the version before leave the columns at 0.
ALTER TABLE "orders" ADD CONSTRAINT "orders_added" CHECK (least("orders"."added_goods_cents", "orders"."added_shipping_cents", "orders"."added_tax_cents", "orders"."exchanged_cents") >= 0) NOT VALID;
--> statement-breakpoint
-- As in migration 0019, but an order may take units of a batch once more, when its items are changed.
CREATE OR REPLACE FUNCTION take_from_batches(sold_order uuid, sold_product integer, sold integer, loose integer,
  today date DEFAULT current_date)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  only_batch bigint;
BEGIN
  WITH shelf AS (
    SELECT id, remaining,
      coalesce(sum(remaining) OVER (ORDER BY is_over, best_before, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) + CASE WHEN is_over THEN loose ELSE 0 END AS ahead
    FROM (SELECT id, remaining, best_before, best_before < today AS is_over FROM batches
      WHERE product_id = sold_product AND remaining > 0) AS left_over
  ), taken AS (
    SELECT id, least(remaining, sold - ahead)::int AS quantity FROM shelf WHERE ahead < sold
  ), lessened AS (
    UPDATE batches SET remaining = remaining - taken.quantity FROM taken WHERE batches.id = taken.id
  ), noted AS (
    INSERT INTO batch_units (order_id, product_id, batch_id, quantity)
    SELECT sold_order, sold_product, id, quantity FROM taken
    ON CONFLICT (order_id, product_id, batch_id) DO UPDATE SET quantity = batch_units.quantity + excluded.quantity
  )
  SELECT min(id) INTO only_batch FROM taken HAVING count(*) = 1 AND sum(quantity) = sold;
  RETURN only_batch;
END $$;
