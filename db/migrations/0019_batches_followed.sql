-- stock.batched also follows batches that are deleted, or moved to another product: migration 0009 counts what comes in
-- and what is taken, in one update of the stock, as a sale needs it.
CREATE FUNCTION count_batch_away() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET batched = batched - OLD.remaining WHERE product_id = OLD.product_id;
  IF TG_OP = 'UPDATE' THEN
    -- What it holds less or more by the same update, the trigger of 0009 counts.
    UPDATE stock SET batched = batched + OLD.remaining WHERE product_id = NEW.product_id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER batches_deleted AFTER DELETE ON batches
  FOR EACH ROW WHEN (OLD.remaining > 0) EXECUTE FUNCTION count_batch_away();
--> statement-breakpoint
CREATE TRIGGER batches_moved AFTER UPDATE OF product_id ON batches
  FOR EACH ROW WHEN (OLD.product_id <> NEW.product_id) EXECUTE FUNCTION count_batch_away();
--> statement-breakpoint
-- Batches that were deleted or moved before.
UPDATE stock SET batched = counted.units
FROM (SELECT product_id, coalesce(sum(remaining), 0)::int AS units
  FROM stock LEFT JOIN batches USING (product_id) GROUP BY product_id) AS counted
WHERE counted.product_id = stock.product_id AND stock.batched <> counted.units;
--> statement-breakpoint
-- As in migration 0009, but past its date is what the shop's own day says: `today` where the owner is, not where the
-- database is. Without it, as programs before this one ask, the database's day is taken.
DROP FUNCTION take_from_batches(uuid, integer, integer, integer);
--> statement-breakpoint
CREATE FUNCTION take_from_batches(sold_order uuid, sold_product integer, sold integer, loose integer,
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
  )
  SELECT min(id) INTO only_batch FROM taken HAVING count(*) = 1 AND sum(quantity) = sold;
  RETURN only_batch;
END $$;
