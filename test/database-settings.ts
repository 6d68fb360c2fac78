/** PostgreSQL settings without durability, as test data need not survive a crash. */
export const databaseSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  checkpoint_timeout: "1h",
  shared_buffers: "64MB",
  autovacuum: "off",
  // Each connection plans a statement once; planning its first five runs for their values took a tenth of the database's time.
  plan_cache_mode: "force_generic_plan",
};
