-- What is there stays as it is, after a byte that says so (server/platform/database/packed-html.ts).
ALTER TABLE "messages" ALTER COLUMN "html" SET DATA TYPE bytea USING '\x00'::bytea || convert_to("html", 'UTF8');
