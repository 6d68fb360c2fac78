CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea",
	"key_id" text,
	"facts" jsonb,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"updated_by" uuid,
	"tried_at" timestamp with time zone,
	"try_failure" text,
	CONSTRAINT "secrets_sealed" CHECK (("secrets"."sealed" is null) = ("secrets"."key_id" is null))
);

--> statement-breakpoint
-- A try at its service is no change; encrypting it anew with another key is one, which servers find to be the same version.
CREATE TRIGGER secrets_changed AFTER INSERT OR DELETE OR UPDATE OF sealed ON secrets
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('secrets');
