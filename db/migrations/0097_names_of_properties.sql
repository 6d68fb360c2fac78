-- Columns and tables get the names of the properties they have in the program. Nothing that came before 1.0.0 runs beside it.
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
ALTER TABLE "mail_outage" RENAME COLUMN "told_at" TO "notified_at";--> statement-breakpoint
ALTER TABLE "push_devices" RENAME COLUMN "last_told" TO "last_event";--> statement-breakpoint
ALTER TABLE "content_versions" RENAME COLUMN "shipped_hash" TO "default_hash";--> statement-breakpoint
ALTER TABLE "sales_rollup" RENAME COLUMN "whole_at" TO "rebuilt_at";--> statement-breakpoint
ALTER TABLE "payment_flags" RENAME TO "issues";--> statement-breakpoint
ALTER TABLE "money_findings" RENAME TO "discrepancies";--> statement-breakpoint
ALTER TABLE "sales_quarters" RENAME TO "sales_buckets";--> statement-breakpoint
ALTER TABLE "people_invitations" RENAME TO "invitations";--> statement-breakpoint
ALTER TABLE "admin_wrong_tries" RENAME TO "failed_code_attempts";--> statement-breakpoint
-- Keys, indexes, checks and sequences are named for their table and get its new name, too.
DO $$
DECLARE
  renamed record;
  part record;
BEGIN
  FOR renamed IN SELECT * FROM (VALUES ('payment_flags', 'issues'), ('money_findings', 'discrepancies'),
      ('sales_quarters', 'sales_buckets'), ('people_invitations', 'invitations'),
      ('admin_wrong_tries', 'failed_code_attempts')) AS names (before, after) LOOP
    FOR part IN SELECT conname AS name FROM pg_constraint
        WHERE conrelid = renamed.after::regclass AND starts_with(conname, renamed.before) LOOP
      EXECUTE format('ALTER TABLE %I RENAME CONSTRAINT %I TO %I', renamed.after, part.name,
        renamed.after || substr(part.name, length(renamed.before) + 1));
    END LOOP;
    FOR part IN SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('i', 'S') AND starts_with(c.relname, renamed.before) LOOP
      EXECUTE format(CASE WHEN part.name LIKE '%\_id\_seq' THEN 'ALTER SEQUENCE %I RENAME TO %I' ELSE 'ALTER INDEX %I RENAME TO %I' END,
        part.name, renamed.after || substr(part.name, length(renamed.before) + 1));
    END LOOP;
  END LOOP;
END $$;
