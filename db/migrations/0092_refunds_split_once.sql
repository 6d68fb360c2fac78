-- The program says of each refund what it gives back, by one definition, and no trigger fills that in any more. Nothing that came before
-- this version runs beside it: it is the first release.
-- still-works: 1.0.0 is the first release.
DROP TRIGGER "refunds_split" ON "refunds";--> statement-breakpoint
-- still-works: 1.0.0 is the first release.
DROP FUNCTION split_refund();--> statement-breakpoint
-- still-works: 1.0.0 is the first release.
ALTER TABLE "refunds" ALTER COLUMN "goods_cents" DROP DEFAULT;--> statement-breakpoint
-- still-works: 1.0.0 is the first release.
ALTER TABLE "refunds" ALTER COLUMN "shipping_cents" DROP DEFAULT;--> statement-breakpoint
-- still-works: 1.0.0 is the first release.
ALTER TABLE "refunds" ALTER COLUMN "tax_cents" DROP DEFAULT;--> statement-breakpoint
-- still-works: 1.0.0 is the first release.
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_parts" CHECK (least("refunds"."goods_cents", "refunds"."shipping_cents", "refunds"."tax_cents") >= 0) NOT VALID;
