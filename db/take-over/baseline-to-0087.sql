-- Gives an empty database of the baseline the tables of version 0.1, into which its backups are loaded. They are taken over in the
-- same transaction, so that functions and triggers are left out.
DROP TABLE "mail_outage", "go_live_statements";--> statement-breakpoint
DROP INDEX "messages_mailbox", "invoices_one_of_exchange", "payments_one_paid_of_edit";--> statement-breakpoint
ALTER TABLE "admin_sessions" DROP COLUMN "given_cents";--> statement-breakpoint
ALTER TABLE "order_events" DROP COLUMN "request_id";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_parts",
  ALTER COLUMN "goods_cents" SET DEFAULT 0,
  ALTER COLUMN "shipping_cents" SET DEFAULT 0,
  ALTER COLUMN "tax_cents" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "invoices" DROP CONSTRAINT "invoices_refund",
  ADD CONSTRAINT "invoices_refund" CHECK (("invoices"."refund_id" is not null) = ("invoices"."kind" = 'credit_note'));--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_refunded_within_payable",
  DROP CONSTRAINT "orders_ship_hold_reason",
  DROP CONSTRAINT "orders_arrival",
  DROP COLUMN "payable_cents",
  DROP COLUMN "credited_cents",
  DROP COLUMN "taxed_for",
  DROP COLUMN "arrives_from",
  DROP COLUMN "arrives_until",
  ADD CONSTRAINT "orders_refunded_within_total" CHECK ("orders"."refunded_cents" between 0 and "orders"."total_cents"),
  ADD CONSTRAINT "orders_ship_hold_why" CHECK ("orders"."ship_hold" in ('dispute','refund','owner'));--> statement-breakpoint
ALTER TABLE "order_edits" DROP CONSTRAINT "order_edits_sums",
  DROP CONSTRAINT "order_edits_exchanged",
  DROP CONSTRAINT "order_edits_exchange",
  DROP CONSTRAINT "order_edits_parts",
  DROP COLUMN "added_cents",
  DROP COLUMN "exchanged_cents",
  DROP COLUMN "exchanged_goods_cents",
  DROP COLUMN "exchanged_shipping_cents",
  DROP COLUMN "exchanged_tax_cents",
  DROP COLUMN "exchange_id",
  ADD CONSTRAINT "order_edits_sums" CHECK ("order_edits"."goods_cents" + "order_edits"."shipping_cents" + "order_edits"."tax_cents" - "order_edits"."removed_cents" = "order_edits"."difference_cents");--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "with_tax" TO "amounts_with_tax";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_with_tax" TO "orders_amounts_with_tax";--> statement-breakpoint
ALTER TABLE "orders" RENAME COLUMN "cancelled_at" TO "called_off_at";--> statement-breakpoint
ALTER TABLE "orders" RENAME CONSTRAINT "orders_cancelled_never_ships" TO "orders_called_off_never_ships";--> statement-breakpoint
ALTER TABLE "discrepancies" RENAME COLUMN "repaired_at" TO "mended_at";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "opening_attempts" TO "opening_tries";--> statement-breakpoint
ALTER TABLE "payment_events" RENAME COLUMN "handled_at" TO "worked_at";--> statement-breakpoint
ALTER INDEX "payment_events_unhandled" RENAME TO "payment_events_unworked";--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "notified_at" TO "told_at";--> statement-breakpoint
ALTER TABLE "stock" RENAME COLUMN "low_stock_notified_at" TO "low_told_at";--> statement-breakpoint
ALTER TABLE "products" RENAME COLUMN "cost" TO "cost_cents";--> statement-breakpoint
ALTER TABLE "products" RENAME COLUMN "compare_at_price" TO "compare_at_cents";--> statement-breakpoint
ALTER TABLE "product_slugs" RENAME COLUMN "replaced_at" TO "left_at";--> statement-breakpoint
ALTER TABLE "push_devices" RENAME COLUMN "last_event" TO "last_told";--> statement-breakpoint
ALTER TABLE "content_versions" RENAME COLUMN "default_hash" TO "shipped_hash";--> statement-breakpoint
ALTER TABLE "sales_rollup" RENAME COLUMN "rebuilt_at" TO "whole_at";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "order_edit_id" TO "change_id";--> statement-breakpoint
ALTER TABLE "refunds" RENAME COLUMN "order_edit_id" TO "change_id";--> statement-breakpoint
ALTER TABLE "invoices" RENAME COLUMN "order_edit_id" TO "change_id";--> statement-breakpoint
ALTER TABLE "payments" RENAME CONSTRAINT "payments_order_edit_id_order_edits_id_fk" TO "payments_change_id_order_changes_id_fk";--> statement-breakpoint
ALTER TABLE "refunds" RENAME CONSTRAINT "refunds_order_edit_id_order_edits_id_fk" TO "refunds_change_id_order_changes_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" RENAME CONSTRAINT "invoices_order_edit_id_order_edits_id_fk" TO "invoices_change_id_order_changes_id_fk";--> statement-breakpoint
ALTER INDEX "payments_order_edit" RENAME TO "payments_change";--> statement-breakpoint
ALTER INDEX "refunds_order_edit" RENAME TO "refunds_change";--> statement-breakpoint
ALTER INDEX "invoices_order_edit" RENAME TO "invoices_change";--> statement-breakpoint
ALTER TABLE "issues" RENAME TO "payment_flags";--> statement-breakpoint
ALTER TABLE "discrepancies" RENAME TO "money_findings";--> statement-breakpoint
ALTER TABLE "sales_buckets" RENAME TO "sales_quarters";--> statement-breakpoint
ALTER TABLE "invitations" RENAME TO "people_invitations";--> statement-breakpoint
ALTER TABLE "failed_code_attempts" RENAME TO "admin_wrong_tries";--> statement-breakpoint
ALTER TABLE "order_edits" RENAME TO "order_changes";--> statement-breakpoint
DO $$
DECLARE
  renamed record;
  part record;
BEGIN
  FOR renamed IN SELECT * FROM (VALUES ('payment_flags', 'issues'), ('money_findings', 'discrepancies'),
      ('sales_quarters', 'sales_buckets'), ('people_invitations', 'invitations'),
      ('admin_wrong_tries', 'failed_code_attempts'), ('order_changes', 'order_edits')) AS names (before, after) LOOP
    FOR part IN SELECT conname AS name FROM pg_constraint
        WHERE conrelid = renamed.before::regclass AND starts_with(conname, renamed.after) LOOP
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', renamed.before, part.name,
        renamed.before || substr(part.name, length(renamed.after) + 1));
    END LOOP;
    FOR part IN SELECT c.relname AS name, c.relkind AS kind FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('i', 'S') AND starts_with(c.relname, renamed.after) LOOP
      EXECUTE format(CASE part.kind WHEN 'S' THEN 'ALTER SEQUENCE %I RENAME TO %I' ELSE 'ALTER INDEX %I RENAME TO %I' END,
        part.name, renamed.before || substr(part.name, length(renamed.after) + 1));
    END LOOP;
  END LOOP;
END $$;
