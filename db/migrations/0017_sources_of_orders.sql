ALTER TABLE "orders" ADD COLUMN "source" jsonb;
