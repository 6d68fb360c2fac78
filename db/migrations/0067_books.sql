CREATE TABLE "balance_cursors" (
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"account" text NOT NULL,
	"read_until" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "balance_cursors_provider_mode_account_pk" PRIMARY KEY("provider","mode","account"),
	CONSTRAINT "balance_cursors_mode" CHECK ("balance_cursors"."mode" in ('live','test','sandbox'))
);
--> statement-breakpoint
CREATE TABLE "balance_entries" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"intent_id" text,
	"source_id" text,
	"description" text,
	"created_at" timestamp with time zone NOT NULL,
	"arrives_on" date,
	CONSTRAINT "balance_entries_mode" CHECK ("balance_entries"."mode" in ('live','test','sandbox')),
	CONSTRAINT "balance_entries_kind" CHECK ("balance_entries"."kind" in ('charge','refund','dispute','fee','payout','other'))
);
--> statement-breakpoint
CREATE TABLE "invoice_numbers" (
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_numbers_mode_kind_year_pk" PRIMARY KEY("mode","kind","year"),
	CONSTRAINT "invoice_numbers_mode" CHECK ("invoice_numbers"."mode" in ('live','test','sandbox')),
	CONSTRAINT "invoice_numbers_kind" CHECK ("invoice_numbers"."kind" in ('invoice','credit_note')),
	CONSTRAINT "invoice_numbers_last" CHECK ("invoice_numbers"."last" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"year" integer NOT NULL,
	"number" integer NOT NULL,
	"order_id" uuid NOT NULL,
	"refund_id" uuid,
	"issued_at" timestamp with time zone NOT NULL,
	"total_cents" integer NOT NULL,
	"snapshot" jsonb NOT NULL,
	"voided_at" timestamp with time zone,
	"void_reason" text,
	CONSTRAINT "invoices_mode" CHECK ("invoices"."mode" in ('live','test','sandbox')),
	CONSTRAINT "invoices_kind" CHECK ("invoices"."kind" in ('invoice','credit_note')),
	CONSTRAINT "invoices_refund" CHECK (("invoices"."refund_id" is not null) = ("invoices"."kind" = 'credit_note')),
	CONSTRAINT "invoices_void" CHECK (("invoices"."voided_at" is null) = ("invoices"."void_reason" is null))
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "balance_entries_newest" ON "balance_entries" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "balance_entries_intent" ON "balance_entries" USING btree ("intent_id") WHERE "balance_entries"."intent_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number" ON "invoices" USING btree ("mode","kind","year","number");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_order" ON "invoices" USING btree ("order_id") WHERE "invoices"."kind" = 'invoice' and "invoices"."voided_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_of_refund" ON "invoices" USING btree ("refund_id") WHERE "invoices"."voided_at" is null;--> statement-breakpoint
CREATE INDEX "invoices_order" ON "invoices" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "invoices_refund" ON "invoices" USING btree ("refund_id");--> statement-breakpoint
CREATE INDEX "invoices_newest" ON "invoices" USING btree ("issued_at","id");