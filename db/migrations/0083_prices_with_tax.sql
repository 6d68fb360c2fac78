-- Where prices include the tax: subtotal, discount and shipping as the shopper saw them. The other columns stay before tax, so
-- that whatever adds up orders, also in versions before this one, knows one form.
ALTER TABLE "orders" ADD COLUMN "amounts_with_tax" jsonb;
--> statement-breakpoint
-- still-works: versions before this one leave the column empty, and do not change the total of an order that has it.
ALTER TABLE "orders" ADD CONSTRAINT "orders_amounts_with_tax" CHECK ("orders"."amounts_with_tax" is null or coalesce(("orders"."amounts_with_tax"->>'subtotal')::int - ("orders"."amounts_with_tax"->>'discount')::int + ("orders"."amounts_with_tax"->>'shipping')::int = "orders"."total_cents" and char_length("orders"."amounts_with_tax"->>'name') between 1 and 40, false)) NOT VALID;
