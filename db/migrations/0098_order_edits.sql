-- An order edit is one record, with the amount that it exchanged. Until now that amount was a payment and a refund of the source
-- `exchange`, which no provider knew.
-- No server of an older release runs beside this one: nothing waits while tables are rewritten and indexed.
-- squawk-ignore-file adding-field-with-default, require-concurrent-index-creation
ALTER TABLE "order_changes" RENAME TO "order_edits";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "invoices" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "order_edits" RENAME CONSTRAINT "order_changes_status" TO "order_edits_status";--> statement-breakpoint
ALTER TABLE "order_edits" RENAME CONSTRAINT "order_changes_ended" TO "order_edits_ended";--> statement-breakpoint
ALTER TABLE "order_edits" RENAME CONSTRAINT "order_changes_note" TO "order_edits_note";--> statement-breakpoint
ALTER TABLE "order_edits" RENAME CONSTRAINT "order_changes_order_id_orders_id_fk" TO "order_edits_order_id_orders_id_fk";--> statement-breakpoint
ALTER TABLE "payments" RENAME CONSTRAINT "payments_change_id_order_changes_id_fk" TO "payments_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER TABLE "refunds" RENAME CONSTRAINT "refunds_change_id_order_changes_id_fk" TO "refunds_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" RENAME CONSTRAINT "invoices_change_id_order_changes_id_fk" TO "invoices_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER INDEX "order_changes_pkey" RENAME TO "order_edits_pkey";--> statement-breakpoint
ALTER INDEX "order_changes_order" RENAME TO "order_edits_order";--> statement-breakpoint
ALTER INDEX "order_changes_ended" RENAME TO "order_edits_ended";--> statement-breakpoint
ALTER INDEX "order_changes_one_waiting" RENAME TO "order_edits_one_waiting";--> statement-breakpoint
ALTER INDEX "order_changes_expiry" RENAME TO "order_edits_expiry";--> statement-breakpoint
ALTER INDEX "payments_change" RENAME TO "payments_order_edit";--> statement-breakpoint
ALTER INDEX "refunds_change" RENAME TO "refunds_order_edit";--> statement-breakpoint
ALTER INDEX "invoices_change" RENAME TO "invoices_order_edit";--> statement-breakpoint
ALTER TABLE "order_edits" DROP CONSTRAINT "order_changes_sums";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refunded_within_total";--> statement-breakpoint
ALTER TABLE "invoices" DROP CONSTRAINT "invoices_refund";--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "added_cents" integer GENERATED ALWAYS AS (goods_cents + shipping_cents + tax_cents) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "exchanged_goods_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "exchanged_shipping_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "exchanged_tax_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "exchanged_cents" integer GENERATED ALWAYS AS (exchanged_goods_cents + exchanged_shipping_cents + exchanged_tax_cents) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "exchange_id" uuid;--> statement-breakpoint
-- The refund named the removed lines as they were paid back when the edit was applied.
UPDATE order_edits SET exchange_id = r.id, removed = r.lines,
    exchanged_goods_cents = r.goods_cents, exchanged_shipping_cents = r.shipping_cents, exchanged_tax_cents = r.tax_cents
  FROM refunds r WHERE r.order_edit_id = order_edits.id AND starts_with(r.intent_id, 'exchange_');--> statement-breakpoint
-- Credit notes keep their numbers and their texts, and name the edit instead of the refund.
UPDATE invoices SET refund_id = NULL, order_edit_id = r.order_edit_id
  FROM refunds r WHERE r.id = invoices.refund_id AND starts_with(r.intent_id, 'exchange_');--> statement-breakpoint
DELETE FROM refunds WHERE starts_with(intent_id, 'exchange_');--> statement-breakpoint
DELETE FROM payments WHERE provider = 'exchange';--> statement-breakpoint
UPDATE orders SET refunded_cents = greatest(refunded_cents - exchanged_cents, 0) WHERE exchanged_cents > 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payable_cents" integer GENERATED ALWAYS AS (total_cents - exchanged_cents) STORED NOT NULL,
  ADD COLUMN "credited_cents" integer GENERATED ALWAYS AS (refunded_cents + exchanged_cents) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_sums" CHECK ("order_edits"."added_cents" - "order_edits"."removed_cents" = "order_edits"."difference_cents") NOT VALID;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_exchanged" CHECK ("order_edits"."exchanged_cents" = case when "order_edits"."status" = 'applied' then least("order_edits"."added_cents", "order_edits"."removed_cents") else 0 end) NOT VALID;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_exchange" CHECK (("order_edits"."exchange_id" is null) = ("order_edits"."exchanged_cents" = 0)) NOT VALID;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_parts" CHECK (least("order_edits"."exchanged_goods_cents", "order_edits"."exchanged_shipping_cents", "order_edits"."exchanged_tax_cents") >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded_within_payable" CHECK ("orders"."refunded_cents" between 0 and "orders"."payable_cents") NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refund" CHECK (case "invoices"."kind" when 'credit_note' then ("invoices"."refund_id" is null) <> ("invoices"."order_edit_id" is null) else "invoices"."refund_id" is null end) NOT VALID;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_exchange" ON "invoices" USING btree ("order_edit_id") WHERE "invoices"."kind" = 'credit_note' and "invoices"."voided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid_of_edit" ON "payments" USING btree ("order_edit_id") WHERE "payments"."status" = 'succeeded';
