ALTER TABLE "payments" ADD COLUMN "end_actor" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "end_note" text;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_end_actor" CHECK ("payments"."end_actor" in ('shopper','owner','system'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_end_whole" CHECK (("payments"."end_actor" is null) = ("payments"."end_note" is null));