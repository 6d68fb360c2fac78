-- still-works: no statement names this constraint.
ALTER TABLE "orders" DROP CONSTRAINT "orders_ship_hold_why";
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "taxed_for" jsonb;
--> statement-breakpoint
UPDATE orders SET ship_hold = CASE WHEN EXISTS (SELECT FROM payment_flags f
    WHERE f.order_id = orders.id AND f.kind = 'fraud_warning' AND f.resolved_at IS NULL) THEN 'fraud' ELSE 'review' END
  WHERE id IN (SELECT order_id FROM payment_flags WHERE kind IN ('fraud_warning', 'payment_review') AND resolved_at IS NULL)
    AND coalesce(ship_hold, 'owner') = 'owner';
--> statement-breakpoint
-- Those that only a waiting change of their items held back.
UPDATE orders SET ship_hold = 'change' WHERE ship_hold = 'owner' AND held_at IS NULL;
--> statement-breakpoint
-- still-works: the values that are known so far stay allowed.
ALTER TABLE "orders" ADD CONSTRAINT "orders_ship_hold_reason" CHECK ("orders"."ship_hold" in ('dispute','refund','fraud','review','owner','change')) NOT VALID;
--> statement-breakpoint
-- An order's tax belongs to the place it was taxed for, wherever a paid order is sent afterwards.
CREATE FUNCTION keep_tax_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.taxed_for := coalesce(OLD.taxed_for,
    jsonb_build_object('country', OLD.shipping->>'country', 'state', OLD.shipping->>'state'));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER orders_tax_place BEFORE UPDATE OF shipping, taxed_for ON orders FOR EACH ROW
  WHEN (OLD.paid_at IS NOT NULL AND (OLD.taxed_for IS NOT NULL OR
    (OLD.shipping->>'country', OLD.shipping->>'state') IS DISTINCT FROM (NEW.shipping->>'country', NEW.shipping->>'state')))
  EXECUTE FUNCTION keep_tax_place();
