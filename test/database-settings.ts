/** PostgreSQL settings without durability, as test data need not survive a crash. */
export const databaseSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  checkpoint_timeout: "1h",
  shared_buffers: "64MB",
  autovacuum: "off",
};
