CREATE TABLE "personal_codes" (
	"code" text PRIMARY KEY NOT NULL,
	"discount_id" bigint NOT NULL,
	"campaign_id" bigint NOT NULL,
	"recipient_id" bigint,
	"order_id" uuid,
	CONSTRAINT "personal_codes_form" CHECK ("personal_codes"."code" ~ '^[A-Z0-9]{5}-[A-Z0-9]{5}$')
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "personal_codes" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "personal_codes" ADD CONSTRAINT "personal_codes_discount_id_discounts_id_fk" FOREIGN KEY ("discount_id") REFERENCES "public"."discounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_codes" ADD CONSTRAINT "personal_codes_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_codes" ADD CONSTRAINT "personal_codes_recipient_id_campaign_recipients_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "public"."campaign_recipients"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_codes" ADD CONSTRAINT "personal_codes_order_id_discount_uses_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."discount_uses"("order_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "personal_codes_discount" ON "personal_codes" USING btree ("discount_id");--> statement-breakpoint
CREATE INDEX "personal_codes_campaign" ON "personal_codes" USING btree ("campaign_id");--> statement-breakpoint
CREATE UNIQUE INDEX "personal_codes_recipient" ON "personal_codes" USING btree ("recipient_id");--> statement-breakpoint
CREATE UNIQUE INDEX "personal_codes_order" ON "personal_codes" USING btree ("order_id");