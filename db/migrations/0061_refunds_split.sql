-- What a refund gives back of goods, of shipping and of tax, and which units it pays back.
ALTER TABLE "refunds" ADD COLUMN "goods_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "shipping_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "lines" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
-- Fills in a refund that says nothing of the kind: in proportion to what the order's other refunds leave of each, in whole
-- cents, so that refunds which come to the whole order also come to its goods, its shipping and its tax. Whoever writes a
-- refund holds the order's lock.
CREATE FUNCTION split_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  goods bigint;
  shipping bigint;
  tax bigint;
  whole bigint;
  more bigint;
BEGIN
  SELECT greatest(o.subtotal_cents - o.discount_cents - r.goods, 0), greatest(o.shipping_cents - r.shipping, 0),
      greatest(o.tax_cents - r.tax, 0)
    INTO goods, shipping, tax
    FROM orders o, (
      SELECT coalesce(sum(goods_cents), 0) AS goods, coalesce(sum(shipping_cents), 0) AS shipping,
        coalesce(sum(tax_cents), 0) AS tax
      FROM refunds WHERE order_id = NEW.order_id AND id <> NEW.id AND status IN ('pending', 'succeeded')
    ) r
    WHERE o.id = NEW.order_id;
  whole := goods + shipping + tax;
  IF whole > 0 THEN
    NEW.shipping_cents := least(NEW.amount_cents * shipping / whole, shipping);
    NEW.tax_cents := least(NEW.amount_cents * tax / whole, tax);
  END IF;
  -- The cents that are left over go to the goods, and where there are not as many, to the tax and the shipping.
  more := greatest(NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents - goods, 0);
  IF NEW.amount_cents <= whole AND more > 0 THEN
    NEW.tax_cents := NEW.tax_cents + least(more, tax - NEW.tax_cents);
    more := greatest(NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents - goods, 0);
    NEW.shipping_cents := NEW.shipping_cents + least(more, shipping - NEW.shipping_cents);
  END IF;
  NEW.goods_cents := NEW.amount_cents - NEW.shipping_cents - NEW.tax_cents;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- Also of those that a server of the version before writes.
CREATE TRIGGER refunds_split BEFORE INSERT OR UPDATE OF amount_cents, goods_cents ON refunds
  FOR EACH ROW WHEN (NEW.goods_cents = 0 AND NEW.shipping_cents = 0 AND NEW.tax_cents = 0)
  EXECUTE FUNCTION split_refund();
--> statement-breakpoint
-- Those written so far, one after the other.
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN SELECT id FROM refunds ORDER BY created_at, id LOOP
    UPDATE refunds SET goods_cents = 0 WHERE id = each.id;
  END LOOP;
END $$;
--> statement-breakpoint
-- still-works: the trigger above fills the columns in for servers of the version before.
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_split" CHECK ("refunds"."goods_cents" + "refunds"."shipping_cents" + "refunds"."tax_cents" = "refunds"."amount_cents") NOT VALID;
