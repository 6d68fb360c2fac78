ALTER TABLE "money_checks" RENAME COLUMN "looked" TO "checked_payments";
--> statement-breakpoint
ALTER TABLE "money_checks" RENAME COLUMN "apart" TO "ignored_payments";
--> statement-breakpoint
ALTER TABLE "money_checks" RENAME COLUMN "apart_cents" TO "ignored_cents";
--> statement-breakpoint
ALTER TABLE "discrepancies" RENAME COLUMN "outcome" TO "repair_failure";
--> statement-breakpoint
ALTER TABLE "order_lines" RENAME COLUMN "kept_quantity" TO "restocked_unshipped_quantity";
--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "asked_at" TO "requested_at";
--> statement-breakpoint
-- Counts the units that are restocked before they were shipped. While a return is open, units that were shipped come back first.
CREATE FUNCTION count_restocked_unshipped() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  restocked integer := NEW.returned_quantity - OLD.returned_quantity;
  waiting integer := NEW.quantity - NEW.shipped_quantity - NEW.restocked_unshipped_quantity;
BEGIN
  IF waiting > 0 AND EXISTS (
    SELECT FROM order_returns WHERE order_id = NEW.order_id AND status IN ('requested', 'approved')
  ) THEN
    restocked := restocked - (NEW.shipped_quantity - (OLD.returned_quantity - OLD.restocked_unshipped_quantity));
  END IF;
  NEW.restocked_unshipped_quantity := NEW.restocked_unshipped_quantity + greatest(0, least(restocked, waiting));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER order_lines_put_back BEFORE UPDATE OF returned_quantity ON order_lines
  FOR EACH ROW WHEN (NEW.returned_quantity > OLD.returned_quantity) EXECUTE FUNCTION count_restocked_unshipped();
--> statement-breakpoint
DROP FUNCTION keep_units_put_back();
