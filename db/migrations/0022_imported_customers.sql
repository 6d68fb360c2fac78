ALTER TABLE "customer_merges" ADD COLUMN "imported" jsonb;--> statement-breakpoint
ALTER TABLE "customer_merges" ADD COLUMN "imported_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "imported" jsonb;--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "imported_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_optouts" ADD COLUMN "reason" text DEFAULT 'unsubscribed' NOT NULL;--> statement-breakpoint
ALTER TABLE "email_optouts" ADD CONSTRAINT "email_optouts_reason" CHECK ("email_optouts"."reason" in ('unsubscribed','bounced','complained','erased')) NOT VALID;