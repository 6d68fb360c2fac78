ALTER TABLE "order_drafts" ADD COLUMN "shipping_cents" integer CONSTRAINT "order_drafts_shipping" CHECK ("order_drafts"."shipping_cents" >= 0);
