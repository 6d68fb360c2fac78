/** Nothing waits for a disk: the data of tests need not outlive the machine. */
export const databaseSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  checkpoint_timeout: "1h",
  shared_buffers: "64MB",
};
