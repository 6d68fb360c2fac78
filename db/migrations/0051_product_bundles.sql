CREATE TABLE "product_bundles" (
	"product_id" integer NOT NULL,
	"quantity" integer NOT NULL,
	"price_cents" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_bundles_product_id_quantity_pk" PRIMARY KEY("product_id","quantity"),
	CONSTRAINT "product_bundles_quantity" CHECK ("product_bundles"."quantity" between 2 and 12),
	CONSTRAINT "product_bundles_price" CHECK ("product_bundles"."price_cents" between 1 and 99999999)
);
--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "bundle_saving_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "bundles" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "product_bundles" ADD CONSTRAINT "product_bundles_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- still-works: servers of the version before leave the column at its default, as all lines until now do, so none is scanned.
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_bundle_saving" CHECK ("order_lines"."bundle_saving_cents" between 0 and "order_lines"."unit_price_cents"::bigint * "order_lines"."quantity") NOT VALID;--> statement-breakpoint
-- Servers drop the pages and answers that name a product's bundles.
CREATE TRIGGER product_bundles_changed AFTER INSERT OR UPDATE OR DELETE ON product_bundles
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shop_changed('catalog');
