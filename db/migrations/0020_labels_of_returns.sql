ALTER TABLE "label_rates" ADD COLUMN "return_id" uuid;
--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "return_id" uuid;
--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_return_id_order_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."order_returns"("id") ON DELETE no action ON UPDATE no action NOT VALID;
