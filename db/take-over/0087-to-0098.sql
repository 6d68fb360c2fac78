-- From migration 0087, the last one of version 0.1, to 0098. The functions and triggers that changed follow with 0001. No server runs
-- meanwhile, so that tables may be rewritten and indexed at once. Checks are NOT VALID, so that a row that breaks one does not keep the
-- whole shop closed: it is refused when it is changed, and the nightly test of the backup names it.

-- Columns and tables get the names of the properties they have in the program -------------------------------------------------------
ALTER TABLE "money_findings" RENAME COLUMN "mended_at" TO "repaired_at";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "opening_tries" TO "opening_attempts";--> statement-breakpoint
ALTER TABLE "payment_events" RENAME COLUMN "worked_at" TO "handled_at";--> statement-breakpoint
ALTER INDEX "payment_events_unworked" RENAME TO "payment_events_unhandled";--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "told_at" TO "notified_at";--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "amounts_with_tax" TO "with_tax";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_amounts_with_tax" TO "orders_with_tax";--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "called_off_at" TO "cancelled_at";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_called_off_never_ships" TO "orders_cancelled_never_ships";--> statement-breakpoint
ALTER TABLE "stock" RENAME COLUMN "low_told_at" TO "low_stock_notified_at";--> statement-breakpoint
ALTER TABLE "products" RENAME COLUMN "cost_cents" TO "cost";--> statement-breakpoint
ALTER TABLE "products" RENAME COLUMN "compare_at_cents" TO "compare_at_price";--> statement-breakpoint
ALTER TABLE "product_slugs" RENAME COLUMN "left_at" TO "replaced_at";--> statement-breakpoint
ALTER TABLE "push_devices" RENAME COLUMN "last_told" TO "last_event";--> statement-breakpoint
ALTER TABLE "content_versions" RENAME COLUMN "shipped_hash" TO "default_hash";--> statement-breakpoint
ALTER TABLE "sales_rollup" RENAME COLUMN "whole_at" TO "rebuilt_at";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "invoices" RENAME COLUMN "change_id" TO "order_edit_id";--> statement-breakpoint
ALTER TABLE "payments" RENAME CONSTRAINT "payments_change_id_order_changes_id_fk" TO "payments_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER TABLE "refunds" RENAME CONSTRAINT "refunds_change_id_order_changes_id_fk" TO "refunds_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" RENAME CONSTRAINT "invoices_change_id_order_changes_id_fk" TO "invoices_order_edit_id_order_edits_id_fk";--> statement-breakpoint
ALTER INDEX "payments_change" RENAME TO "payments_order_edit";--> statement-breakpoint
ALTER INDEX "refunds_change" RENAME TO "refunds_order_edit";--> statement-breakpoint
ALTER INDEX "invoices_change" RENAME TO "invoices_order_edit";--> statement-breakpoint
ALTER TABLE "payment_flags" RENAME TO "issues";--> statement-breakpoint
ALTER TABLE "money_findings" RENAME TO "discrepancies";--> statement-breakpoint
ALTER TABLE "sales_quarters" RENAME TO "sales_buckets";--> statement-breakpoint
ALTER TABLE "people_invitations" RENAME TO "invitations";--> statement-breakpoint
ALTER TABLE "admin_wrong_tries" RENAME TO "failed_code_attempts";--> statement-breakpoint
ALTER TABLE "order_changes" RENAME TO "order_edits";--> statement-breakpoint
-- Keys, indexes, checks and sequences are named for their table.
DO $$
DECLARE
  renamed record;
  part record;
BEGIN
  FOR renamed IN SELECT * FROM (VALUES ('payment_flags', 'issues'), ('money_findings', 'discrepancies'),
      ('sales_quarters', 'sales_buckets'), ('people_invitations', 'invitations'),
      ('admin_wrong_tries', 'failed_code_attempts'), ('order_changes', 'order_edits')) AS names (before, after) LOOP
    FOR part IN SELECT conname AS name FROM pg_constraint
        WHERE conrelid = renamed.after::regclass AND starts_with(conname, renamed.before) LOOP
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', renamed.after, part.name,
        renamed.after || substr(part.name, length(renamed.before) + 1));
    END LOOP;
    FOR part IN SELECT c.relname AS name, c.relkind AS kind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('i', 'S') AND starts_with(c.relname, renamed.before) LOOP
      EXECUTE format(CASE part.kind WHEN 'S' THEN 'ALTER SEQUENCE %I RENAME TO %I' ELSE 'ALTER INDEX %I RENAME TO %I' END,
        part.name, renamed.after || substr(part.name, length(renamed.before) + 1));
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint

-- What 1.0 keeps besides ---------------------------------------------------------------------------------------------------------
ALTER TABLE "admin_sessions" ADD COLUMN "given_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_events" ADD COLUMN "request_id" uuid;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "taxed_for" jsonb,
  ADD COLUMN "arrives_from" date,
  ADD COLUMN "arrives_until" date,
  ADD CONSTRAINT "orders_arrival" CHECK (("orders"."arrives_from" is null) = ("orders"."arrives_until" is null) and "orders"."arrives_from" <= "orders"."arrives_until") NOT VALID;--> statement-breakpoint
CREATE TABLE "mail_outage" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"outage_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"last_failed_at" timestamp with time zone NOT NULL,
	"cause" text NOT NULL,
	"only_recipient_hash" "bytea",
	"is_answered" boolean NOT NULL,
	"notified_at" timestamp with time zone,
	CONSTRAINT "mail_outage_single" CHECK ("mail_outage"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "go_live_statements" (
	"about" text PRIMARY KEY NOT NULL,
	"stated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "go_live_statements_about" CHECK ("go_live_statements"."about" in ('policies_read','offsite_backup'))
);
--> statement-breakpoint
CREATE INDEX "messages_mailbox" ON "messages" USING btree ((case when split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 2) in ('gmail.com', 'googlemail.com')
    then replace(split_part(regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@'), '@', 1), '.', '') || '@gmail.com' else regexp_replace(lower("recipient"), '^([^+@]+)[+][^@]*@', '\1@') end),"created_at");--> statement-breakpoint

-- Orders on hold: fraud warnings and open reviews are reasons of their own, and so is an order edit that waits -------------------------
ALTER TABLE "orders" DROP CONSTRAINT "orders_ship_hold_why";--> statement-breakpoint
UPDATE orders SET ship_hold = CASE WHEN EXISTS (SELECT FROM issues i
    WHERE i.order_id = orders.id AND i.kind = 'fraud_warning' AND i.resolved_at IS NULL) THEN 'fraud' ELSE 'review' END
  WHERE id IN (SELECT order_id FROM issues WHERE kind IN ('fraud_warning', 'payment_review') AND resolved_at IS NULL)
    AND coalesce(ship_hold, 'owner') = 'owner';--> statement-breakpoint
UPDATE orders SET ship_hold = 'change' WHERE ship_hold = 'owner' AND held_at IS NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_ship_hold_reason" CHECK ("orders"."ship_hold" in ('dispute','refund','fraud','review','owner','change')) NOT VALID;--> statement-breakpoint

-- Refunds: the program splits them, not a trigger ----------------------------------------------------------------------------------
DROP TRIGGER IF EXISTS "refunds_split" ON "refunds";--> statement-breakpoint
DROP FUNCTION IF EXISTS split_refund();--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "goods_cents" DROP DEFAULT,
  ALTER COLUMN "shipping_cents" DROP DEFAULT,
  ALTER COLUMN "tax_cents" DROP DEFAULT,
  ADD CONSTRAINT "refunds_parts" CHECK (least("refunds"."goods_cents", "refunds"."shipping_cents", "refunds"."tax_cents") >= 0) NOT VALID;--> statement-breakpoint

-- Order edits: the exchanged amount becomes one of the edit; it was a payment and a refund that no provider knew ------------------------
ALTER TABLE "order_edits" DROP CONSTRAINT "order_edits_sums";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refunded_within_total";--> statement-breakpoint
ALTER TABLE "invoices" DROP CONSTRAINT "invoices_refund";--> statement-breakpoint
ALTER TABLE "order_edits" ADD COLUMN "added_cents" integer GENERATED ALWAYS AS (goods_cents + shipping_cents + tax_cents) STORED NOT NULL,
  ADD COLUMN "exchanged_goods_cents" integer DEFAULT 0 NOT NULL,
  ADD COLUMN "exchanged_shipping_cents" integer DEFAULT 0 NOT NULL,
  ADD COLUMN "exchanged_tax_cents" integer DEFAULT 0 NOT NULL,
  ADD COLUMN "exchanged_cents" integer GENERATED ALWAYS AS (exchanged_goods_cents + exchanged_shipping_cents + exchanged_tax_cents) STORED NOT NULL,
  ADD COLUMN "exchange_id" uuid;--> statement-breakpoint
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
  ADD COLUMN "credited_cents" integer GENERATED ALWAYS AS (refunded_cents + exchanged_cents) STORED NOT NULL,
  ADD CONSTRAINT "orders_refunded_within_payable" CHECK ("orders"."refunded_cents" between 0 and "orders"."payable_cents") NOT VALID;--> statement-breakpoint
ALTER TABLE "order_edits" ADD CONSTRAINT "order_edits_sums" CHECK ("order_edits"."added_cents" - "order_edits"."removed_cents" = "order_edits"."difference_cents") NOT VALID,
  ADD CONSTRAINT "order_edits_exchanged" CHECK ("order_edits"."exchanged_cents" = case when "order_edits"."status" = 'applied' then least("order_edits"."added_cents", "order_edits"."removed_cents") else 0 end) NOT VALID,
  ADD CONSTRAINT "order_edits_exchange" CHECK (("order_edits"."exchange_id" is null) = ("order_edits"."exchanged_cents" = 0)) NOT VALID,
  ADD CONSTRAINT "order_edits_parts" CHECK (least("order_edits"."exchanged_goods_cents", "order_edits"."exchanged_shipping_cents", "order_edits"."exchanged_tax_cents") >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refund" CHECK (case "invoices"."kind" when 'credit_note' then ("invoices"."refund_id" is null) <> ("invoices"."order_edit_id" is null) else "invoices"."refund_id" is null end) NOT VALID;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_exchange" ON "invoices" USING btree ("order_edit_id") WHERE "invoices"."kind" = 'credit_note' and "invoices"."voided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid_of_edit" ON "payments" USING btree ("order_edit_id") WHERE "payments"."status" = 'succeeded';
