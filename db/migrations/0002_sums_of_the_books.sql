CREATE TABLE "book_days" (
	"starts_at" timestamp with time zone NOT NULL,
	"mode" text NOT NULL,
	"kind" text NOT NULL,
	"country" text NOT NULL,
	"state" text NOT NULL,
	"entries" integer NOT NULL,
	"amount_cents" bigint NOT NULL,
	"tax_cents" bigint NOT NULL,
	"fee_cents" bigint NOT NULL,
	CONSTRAINT "book_days_starts_at_mode_kind_country_state_pk" PRIMARY KEY("starts_at","mode","kind","country","state")
);
--> statement-breakpoint
CREATE TABLE "book_rollup" (
	"one" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"through" timestamp with time zone NOT NULL,
	"rebuilt_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"version" smallint NOT NULL,
	CONSTRAINT "book_rollup_one_row" CHECK ("book_rollup"."one" = 1)
);

--> statement-breakpoint
-- Days with late entries are read from the orders until the job has summed them again. An entry of the last minutes is in no summed
-- day; an older one waits for a running job, which may have missed it.
CREATE OR REPLACE FUNCTION sum_books_again(since timestamptz) RETURNS void LANGUAGE sql AS $$
  UPDATE book_rollup SET through = least(through, since)
    WHERE since < now() - interval '5 minutes' OR since < through;
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_refunds_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_books_again(least(OLD.settled_at, NEW.settled_at));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER refunds_summed AFTER INSERT OR UPDATE OF settled_at OR DELETE ON refunds
  FOR EACH ROW EXECUTE FUNCTION sum_refunds_again();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_balance_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sum_books_again((SELECT min(created_at) FROM written));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER balance_entries_summed AFTER INSERT ON balance_entries
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION sum_balance_again();
