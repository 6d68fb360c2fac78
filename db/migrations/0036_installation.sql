CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"shop_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"session_secret_hash" text,
	CONSTRAINT "installation_single" CHECK ("installation"."id" = 1)
);
--> statement-breakpoint
INSERT INTO "installation" DEFAULT VALUES;
