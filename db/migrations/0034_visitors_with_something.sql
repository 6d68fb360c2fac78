DROP INDEX "visitors_created";--> statement-breakpoint
ALTER TABLE "visitors" ALTER COLUMN "token_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "visitors" ADD COLUMN "network" "bytea";--> statement-breakpoint
ALTER TABLE "visitors" ADD COLUMN "seen_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "visitors_seen" ON "visitors" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "visitors_network" ON "visitors" USING btree ("network","seen_at") WHERE "visitors"."network" is not null;