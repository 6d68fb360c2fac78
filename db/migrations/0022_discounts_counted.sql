ALTER TABLE "discounts" ADD COLUMN "used" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "discounts" ADD CONSTRAINT "discounts_used" CHECK ("discounts"."used" >= 0);--> statement-breakpoint
-- A code's uses are counted where they are written, whoever writes them: the list of codes and every price with a code
-- would else count them all, each time. Whoever takes a use holds the code's row already.
CREATE FUNCTION count_discount_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE discounts SET used = used + CASE TG_OP WHEN 'INSERT' THEN uses ELSE -uses END
  FROM (SELECT discount_id, count(*) AS uses FROM written GROUP BY discount_id) AS counted
  WHERE discounts.id = discount_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER discount_uses_taken AFTER INSERT ON discount_uses REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
--> statement-breakpoint
CREATE TRIGGER discount_uses_released AFTER DELETE ON discount_uses REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION count_discount_uses();
--> statement-breakpoint
UPDATE discounts SET used = (SELECT count(*) FROM discount_uses WHERE discount_id = discounts.id);
