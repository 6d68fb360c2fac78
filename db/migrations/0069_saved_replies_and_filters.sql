CREATE TABLE "saved_replies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"text" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "saved_replies_title_length" CHECK (char_length("saved_replies"."title") between 1 and 80),
	CONSTRAINT "saved_replies_text_length" CHECK (char_length("saved_replies"."text") between 1 and 5000)
);
--> statement-breakpoint
CREATE TABLE "order_filters" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_filters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"query" text NOT NULL,
	CONSTRAINT "order_filters_name_length" CHECK (char_length("order_filters"."name") between 1 and 40),
	CONSTRAINT "order_filters_query_length" CHECK (char_length("order_filters"."query") between 1 and 500)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "order_filters_name" ON "order_filters" USING btree (lower("name"));