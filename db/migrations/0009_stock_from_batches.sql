ALTER TABLE "stock" ADD COLUMN "batched" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- stock.batched follows the batches, whoever writes them. Every writer has locked the row of stock before.
CREATE FUNCTION count_batched_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET batched = batched + NEW.remaining - CASE TG_OP WHEN 'UPDATE' THEN OLD.remaining ELSE 0 END
  WHERE product_id = NEW.product_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER batches_received AFTER INSERT ON batches
  FOR EACH ROW EXECUTE FUNCTION count_batched_units();
--> statement-breakpoint
CREATE TRIGGER batches_counted AFTER UPDATE OF remaining ON batches
  FOR EACH ROW WHEN (OLD.remaining <> NEW.remaining) EXECUTE FUNCTION count_batched_units();
--> statement-breakpoint
-- Never more in batches than on the shelf. At the end of the transaction, because a sale takes its units off the shelf
-- first and off their batches then; a stock without batches is not looked at.
CREATE FUNCTION check_batched_units() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM stock WHERE product_id = NEW.product_id AND batched NOT BETWEEN 0 AND on_hand) THEN
    RAISE EXCEPTION 'the batches of product % hold more units than its shelf', NEW.product_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER stock_batched_within_on_hand AFTER INSERT OR UPDATE ON stock
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.batched NOT BETWEEN 0 AND NEW.on_hand)
  EXECUTE FUNCTION check_batched_units();
--> statement-breakpoint
-- Takes the units that an order bought off their batches and writes down which: the one nearest to its best-before date
-- first, then units of no batch, and only when nothing else is left those past their date (which are taken off sale
-- before: see docs/decisions/batches.md). Answers the batch where all units came from one. A function, because its
-- statements see what other sales left while this one waited for the row of stock, which its own statement does not.
CREATE FUNCTION take_from_batches(sold_order uuid, sold_product integer, sold integer, loose integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  only_batch bigint;
BEGIN
  WITH shelf AS (
    SELECT id, remaining,
      coalesce(sum(remaining) OVER (ORDER BY is_over, best_before, id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) + CASE WHEN is_over THEN loose ELSE 0 END AS ahead
    FROM (SELECT id, remaining, best_before, best_before < current_date AS is_over FROM batches
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
--> statement-breakpoint
-- Puts units that an order had bought back into the batches they came from. Which bottle it is nobody has read off the
-- label: the batch nearest to its date is taken, so that no unit gets a later date than it has.
CREATE FUNCTION return_to_batches(sold_order uuid, sold_product integer, came_back integer)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  only_batch bigint;
BEGIN
  WITH away AS (
    SELECT u.batch_id, u.quantity - u.returned AS units,
      coalesce(sum(u.quantity - u.returned) OVER (ORDER BY b.best_before, b.id
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS ahead
    FROM batch_units u JOIN batches b ON b.id = u.batch_id
    WHERE u.order_id = sold_order AND u.product_id = sold_product AND u.returned < u.quantity
  ), back AS (
    SELECT batch_id, least(units, came_back - ahead)::int AS quantity FROM away WHERE ahead < came_back
  ), noted AS (
    UPDATE batch_units u SET returned = u.returned + back.quantity FROM back
    WHERE u.order_id = sold_order AND u.product_id = sold_product AND u.batch_id = back.batch_id
  ), filled AS (
    UPDATE batches SET remaining = remaining + back.quantity FROM back WHERE batches.id = back.batch_id
  )
  SELECT min(batch_id) INTO only_batch FROM back HAVING count(*) = 1 AND sum(quantity) = came_back;
  RETURN only_batch;
END $$;
