-- PostgreSQL does not use the statistics of an index that leaves out rows: searches for a word in no order read them all.
CREATE STATISTICS "orders_searched_text" ON ((lower(customer_name) || ' ' || lower(email))) FROM "orders";
--> statement-breakpoint
CREATE STATISTICS "orders_searched_facts" ON ((lower(coalesce(shipping ->> 'city', '')) || ' '
    || lower(coalesce(discount_code, '')) || ' ' || lower(regexp_replace(coalesce(tracking_number, ''), '[^A-Za-z0-9]', '', 'g')) || ' '
    || regexp_replace(replace(coalesce(phone, ''), '(0)', ''), '[^0-9]', '', 'g'))) FROM "orders";
--> statement-breakpoint
ANALYZE "orders";
