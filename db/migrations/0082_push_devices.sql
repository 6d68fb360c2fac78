CREATE TABLE "push_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"person_id" uuid,
	"session_id" uuid,
	"name" text,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"wants" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	"last_delivered_at" timestamp with time zone,
	"last_told" text,
	"problem" text,
	CONSTRAINT "push_devices_wants" CHECK ("push_devices"."wants" <@ array['order','message','return','dispute'])
);
--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "push_devices_endpoint" ON "push_devices" USING btree ("endpoint");--> statement-breakpoint
CREATE INDEX "push_devices_person" ON "push_devices" USING btree ("person_id") WHERE "push_devices"."person_id" is not null;--> statement-breakpoint
CREATE INDEX "push_devices_used" ON "push_devices" USING btree ("used_at");