/** PostgreSQL settings without durability, as test data need not survive a crash. */
export const databaseSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  checkpoint_timeout: "1h",
  shared_buffers: "64MB",
  autovacuum: "off",
  // Planned once by each connection: planning the first five runs for their values took a tenth of the database's time.
  plan_cache_mode: "force_generic_plan",
};
