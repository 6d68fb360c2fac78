-- Words of 10,000 messages are looked for in their middle. Where the extension may not be created, messages are found
-- without an index: slower, and as true.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX contact_messages_search ON contact_messages
    USING gin ((lower(name) || ' ' || lower(email) || ' ' || lower(message)) gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'messages are searched without an index: %', SQLERRM;
END $$;
